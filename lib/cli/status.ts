import { parseArgs } from "node:util";
import { statusHeadings } from "@/lib/domain/status-words";
import { type SettableStatus, setStatus, settableStatuses } from "@/lib/server/applications/set-status";
import { command, UsageError } from "./command";
import { actorName, byOption } from "./options";
import { minute } from "./output";
import { withDatabase } from "./with-database";

const usage = `Sets the status of a submitted application, also back, and records who did it and why.

  npm run status -- REFERENCE ${settableStatuses.join(" | ")} [--by NAME] [--reason "…"]`;

function isSettable(status: string): status is SettableStatus {
  return settableStatuses.some((one) => one === status);
}

command(async () => {
  const options = { ...byOption, reason: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ strict: true, allowPositionals: true, options });
  const [given, status, ...rest] = positionals;
  if (!given || !status || rest.length > 0) throw new UsageError("One reference and one status are needed.");
  if (!isSettable(status)) throw new UsageError(`The status cannot be ${status}.`);
  const cause = { by: actorName(values.by), reason: values.reason?.trim() };
  const { reference, before, shownUntil, isEmailed } = await withDatabase(() => setStatus(given, status, cause));
  if (before === status) return console.log(`${reference} was ${status} already: nothing has changed.`);
  console.log(`${reference} is now ${status}; it was ${before}.`);
  console.log(isEmailed ? "The applicant hears of it by email." : "No email is sent to the applicant.");
  const heading = `'${statusHeadings[status].heading}'`;
  if (shownUntil) console.log(`From now until ${minute(shownUntil)} the applicant's link shows ${heading}.`);
  else
    console.log(
      `No link of the applicant's works: ${heading} is shown once 'npm run links -- reissue ${reference}' has made one.`,
    );
}, usage);
