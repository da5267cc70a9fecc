import { buffer } from "node:stream/consumers";
import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError, type Values } from "@/lib/cli/shared/flags";
import {
  actorName,
  byOption,
  errorsOption,
  jsonOption,
  previewOption,
  requireErrorsFile,
} from "@/lib/cli/shared/options";
import { onDesk, printAtOnce, printBeforeCommit } from "@/lib/cli/shared/output";
import { reportLinkTarget, reportSending } from "@/lib/cli/shared/sending";
import { toTheMinute } from "@/lib/server/brand-time";
import { prisma } from "@/lib/server/db/client";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { batchSchema, invitationFields } from "@/lib/server/invitations/invitation";
import { requireNoOpenApplication } from "@/lib/server/invitations/issued-already";
import { requireAppUrl, requireSending } from "@/lib/server/sending-settings";
import { requireInvitation } from "./invitation-list";
import { issueInOneTransaction, issueIntoFile } from "./issue-links";

const usage = `Issues links to applicants.

  bin/rent invite --mobile 61412345678 --send
  bin/rent invite - --json < FILE    the same from standard input, as JSON: {"mobile":"61412345678","quote":["2450.00"]}
  bin/rent invite --csv FILE --out LINKS --batch NAME
      many at once (FILE may be -): one column for each flag, several quotes as 2450.00;1999.00. LINKS gets the same
      columns, plus reference, link and expiry. After a failure, run the same command again.
      Each row creates one application per batch, however often the list is run; without --batch, only one in all batches.
  bin/rent invite --csv FILE         prints each link with its row number instead, all or none`;

/** The values of one invitation, which are the columns of a list. */
const invitationFlags: Flags = Object.fromEntries(
  invitationFields.map(({ flag, multiple }) => [flag, { type: "string", multiple, value: "…", help: "" }]),
);

const listFlags = {
  csv: { type: "string", value: "FILE", isPath: true, help: "reads a list" },
  out: {
    type: "string",
    value: "LINKS",
    isPath: true,
    help: "writes the links of a list to this file, or continues it",
  },
  batch: { type: "string", value: "NAME", help: "the name under which these invitations are found again" },
  carry: { type: "string", multiple: true, value: "COLUMN", help: "copies a column of the list unchanged" },
  send: { type: "boolean", help: "sends each invitation, and reminders, by email or else by SMS" },
  ...previewOption,
  "allow-duplicates": { type: "boolean", help: "accepts a mobile that has an open application" },
  ...errorsOption,
  "source-ok": { type: "boolean", help: "accepts a source other than ba or ia in a list" },
  ...jsonOption,
  ...byOption,
} as const satisfies Flags;

const flags = { ...invitationFlags, ...listFlags };

function readArguments(values: Values<typeof listFlags>, words: string[]) {
  const { json, csv, out, batch = "", carry = [], send = false, preview = false, by } = values;
  const { "allow-duplicates": allowDuplicates = false, "source-ok": isAnySource = false } = values;
  const invitation = Object.fromEntries(Object.entries(values).filter(([flag]) => !Object.hasOwn(listFlags, flag)));
  const isGiven = Object.keys(invitation).length > 0;
  const isPiped = words.length === 1 && words[0] === "-";
  if (words.length > 0 && !isPiped) throw new UsageError(`Unknown argument: ${words[0]}.`);
  if (csv === undefined && !isPiped && !("mobile" in invitation))
    throw new UsageError("--mobile, - or --csv is needed.");
  if (csv !== undefined && (isGiven || isPiped)) throw new UsageError("With --csv, all values come from the file.");
  if (isPiped && isGiven) throw new UsageError("With -, all values come from standard input.");
  if (csv === undefined && out !== undefined) throw new UsageError("--out requires --csv.");
  if (csv === undefined && (carry.length > 0 || isAnySource))
    throw new UsageError("--carry and --source-ok require --csv.");
  requireErrorsFile(values);
  if (out !== undefined && json) throw new UsageError("--json cannot be used with --out.");
  const { data: batchName, error } = batchSchema.safeParse(batch);
  if (error) throw new UsageError(`--batch ${error.issues[0]?.message}.`);
  if (send) requireSending();
  requireAppUrl();
  const issueOptions = { batch: batchName, by: actorName(by), send, preview, allowDuplicates };
  const { errors, force } = values;
  const issue = csv !== undefined && { csv, carried: carry, isAnySource, errors, force, ...issueOptions };
  return { json, out, issueOptions, issue, isPiped, invitation };
}

async function pipedInvitation(): Promise<Record<string, unknown>> {
  try {
    const utf8 = new TextDecoder("utf-8", { fatal: true });
    const { quote, ...rest } = JSON.parse(utf8.decode(await buffer(process.stdin)));
    return quote === undefined ? rest : { ...rest, quote: [quote].flat() };
  } catch {
    throw new Error("Standard input is not a JSON object in UTF-8.");
  }
}

/** A link of a list names its row, because a row that has an application already gets no line. */
function describeLink({ reference, link, expiresAt }: IssuedLink, row?: number): string {
  const until = toTheMinute(expiresAt);
  if (row !== undefined) return `row ${row}  ${reference}  until ${until}  ${link}`;
  return `Reference    ${reference}\nLink         ${link}\nValid until  ${until}${onDesk(reference)}`;
}

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const { json, out, issueOptions, issue, isPiped, invitation } = readArguments(values, words);
  const printLinks = (issued: IssuedLink[], rows: number[] = []) => {
    const line = (link: IssuedLink, row?: number) =>
      json ? JSON.stringify({ row, ...link }) : describeLink(link, row);
    return printAtOnce(issued.map((link, index) => line(link, rows[index])));
  };
  if (issue && out !== undefined) console.log(await withDatabase(() => issueIntoFile(issue, out)));
  else if (issue) await withDatabase(() => issueInOneTransaction(issue, printLinks));
  else {
    const checked = requireInvitation(isPiped ? await pipedInvitation() : invitation);
    await withDatabase(async () => {
      // Refuses a duplicate before anything is printed. The transaction that creates the invitation checks again.
      if (!issueOptions.allowDuplicates) await requireNoOpenApplication(prisma(), [checked.answers.mobile ?? ""]);
      if (issueOptions.send) await reportSending([checked]);
      if (!issueOptions.preview)
        await printBeforeCommit(printLinks, (printAll) =>
          createInvitations([checked], { ...issueOptions, beforeCommit: (issued) => printAll(issued) }),
        );
    });
  }
  if (issueOptions.preview && out === undefined) console.error("Nothing was created.");
  reportLinkTarget();
});
