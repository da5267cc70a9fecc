import { buffer } from "node:stream/consumers";
import { prisma } from "@/lib/server/db/client";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { batchSchema, invitationFields } from "@/lib/server/invitations/invitation";
import { requireNoOpenApplication } from "@/lib/server/invitations/issued-already";
import { command, parseArguments, UsageError, withDatabase } from "./command";
import { readInvitation } from "./invitation-list";
import { issueInOneTransaction, issueIntoFile } from "./issue-links";
import { actorName, byOption } from "./options";
import { printAtOnce, printBeforeCommit, toTheMinute } from "./output";
import { reportLinkTarget, reportSending, requireAppUrl, requireSending } from "./sending";

const usage = `Issues links to applicants.

  npm run invite -- --mobile 61412345678 [--send] [--preview] [--batch NAME] [--allow-duplicates] [--json] [--by NAME]
    with any of these flags:
${invitationFields.map(({ flag, multiple }) => `    --${flag} …${multiple ? "   (may be repeated)" : ""}`).join("\n")}
  npm run invite -- - [--json]    the same from standard input, as JSON: {"mobile":"61412345678","quote":["2450.00"]}
  npm run invite -- --csv FILE --out LINKS [--send] [--batch NAME] [--carry COLUMN] [--allow-duplicates] [--source-ok]
      many at once (FILE may be -): one column for each flag, several quotes as 2450.00;1999.00. LINKS gets the same
      columns, plus reference, link and expiry. After a failure, run the same command again. --carry copies a column unchanged.
      Each row creates one application per batch, however often the list is run; without --batch, only one in all batches.
  npm run invite -- --csv FILE [--json]    prints each link with its row number instead, all or none

  A mobile that has an open application needs --allow-duplicates. In a file, a source other than ba or ia needs --source-ok.
  --send: the app sends each invitation, and reminders, by email if there is an address, otherwise by SMS. It
  first reports what it will send. --preview checks everything, reports what would be issued or sent, and creates nothing.`;

const options = {
  ...byOption,
  json: { type: "boolean" },
  csv: { type: "string" },
  out: { type: "string" },
  batch: { type: "string" },
  carry: { type: "string", multiple: true },
  send: { type: "boolean", default: false },
  preview: { type: "boolean", default: false },
  "allow-duplicates": { type: "boolean", default: false },
  "source-ok": { type: "boolean", default: false },
} as const;

function readArguments(args: string[]) {
  const flags = invitationFields.map(({ flag, multiple }) => [flag, { type: "string", multiple }] as const);
  const { values, positionals } = parseArguments({
    args,
    allowPositionals: true,
    options: { ...Object.fromEntries(flags), ...options },
  });
  const { json, csv, out, batch = "", carry = [], send, preview, by } = values;
  const { "allow-duplicates": allowDuplicates, "source-ok": isAnySource } = values;
  const invitation = Object.fromEntries(Object.entries(values).filter(([flag]) => !Object.hasOwn(options, flag)));
  const isGiven = Object.keys(invitation).length > 0;
  const isPiped = positionals.length === 1 && positionals[0] === "-";
  if (positionals.length > 0 && !isPiped) throw new UsageError(`Unknown argument: ${positionals[0]}.`);
  if (csv === undefined && !isPiped && !("mobile" in invitation))
    throw new UsageError("--mobile, - or --csv is needed.");
  if (csv !== undefined && (isGiven || isPiped)) throw new UsageError("With --csv, all values come from the file.");
  if (isPiped && isGiven) throw new UsageError("With -, all values come from standard input.");
  if (csv === undefined && out !== undefined) throw new UsageError("--out requires --csv.");
  if (csv === undefined && (carry.length > 0 || isAnySource))
    throw new UsageError("--carry and --source-ok require --csv.");
  if (out !== undefined && json) throw new UsageError("--json cannot be used with --out.");
  const { data: batchName, error } = batchSchema.safeParse(batch);
  if (error) throw new UsageError(`--batch ${error.issues[0]?.message}.`);
  if (send) requireSending();
  requireAppUrl();
  const issueOptions = { batch: batchName, by: actorName(by), send, preview, allowDuplicates };
  const issue = csv !== undefined && { csv, carried: carry, isAnySource, ...issueOptions };
  return { json, out, issueOptions, issue, isPiped, invitation };
}

async function pipedInvitation(): Promise<object> {
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
  return `Reference    ${reference}\nLink         ${link}\nValid until  ${until}`;
}

export default command(module, usage, async (args) => {
  const { json, out, issueOptions, issue, isPiped, invitation } = readArguments(args);
  const printLinks = (issued: IssuedLink[], rows: number[] = []) => {
    const line = (link: IssuedLink, row?: number) =>
      json ? JSON.stringify({ row, ...link }) : describeLink(link, row);
    return printAtOnce(issued.map((link, index) => line(link, rows[index])));
  };
  if (issue && out !== undefined) console.log(await withDatabase(() => issueIntoFile(issue, out)));
  else if (issue) await withDatabase(() => issueInOneTransaction(issue, printLinks));
  else {
    const checked = readInvitation(isPiped ? await pipedInvitation() : invitation);
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
