import { parseArgs } from "node:util";
import { type SettableStatus, setStatus, settableStatuses } from "@/lib/server/applications/set-status";
import { acting, byOption } from "./acting";
import { command, UsageError } from "./command";
import { withDatabase } from "./with-database";

const usage = `Sets the status of a submitted application.

  npm run status -- REFERENCE ${settableStatuses.join(" | ")} [--by NAME]`;

function isSettable(status: string): status is SettableStatus {
  return settableStatuses.some((one) => one === status);
}

command(async () => {
  const { values, positionals } = parseArgs({ strict: true, allowPositionals: true, options: byOption });
  const [reference, status, ...rest] = positionals;
  if (!reference || !status || rest.length > 0) throw new UsageError("One reference and one status are needed.");
  if (!isSettable(status)) throw new UsageError(`The status cannot be ${status}.`);
  console.log(`${await withDatabase(() => setStatus(reference, status, acting(values.by)))} is now ${status}.`);
}, usage);
