import { type StepNumber, stepNumbers } from "@/lib/domain/journey";
import { addNote, releaseApplication, takeApplication } from "@/lib/server/applications/handling";
import { personalDataIn } from "@/lib/server/applications/personal-data";
import { recordRun } from "@/lib/server/applications/record-run";
import {
  documentsBy,
  findApplications,
  type ListedApplication,
  type ListFilter,
  listApplications,
  listedAs,
  maxSearchResults,
  sorts,
} from "@/lib/server/applications/search";
import { readSnapshot } from "@/lib/server/db/client";
import { type Corrected, type CorrectedContact, correctContact } from "@/lib/server/invitations/correct-contact";
import { contactSchema } from "@/lib/server/invitations/invitation";
import { requireBatch } from "@/lib/server/invitations/unopened";
import { linkDays } from "@/lib/server/links/token";
import { applicationPage } from "./application-page";
import { command, parseArguments, UsageError, withDatabase } from "./command";
import { actorName, byOption, filterOptions, filterUsage, oneOf, readFilter, refuseOtherFlags } from "./options";
import {
  byteOrderMark,
  csvLine,
  oneLine,
  print,
  printAtOnce,
  printBeforeCommit,
  spreadsheetCell,
  table,
  toTheMinute,
  writeOut,
} from "./output";
import { channelNames, reportLinkTarget, requireAppUrl, requireSending } from "./sending";

const usage = `Reads applications, and records notes and who handles them. Reading is recorded.

  npm run --silent applications -- list [--csv | --json]       newest first
${filterUsage}
    --batch spring  --opened | --unopened  --step 3  --taken-by Ines  --documents self | agent  --duplicate
    --sort ${sorts.join(" | ")}
  npm run --silent applications -- find WORDS [--json]         by name, mobile, email, property, agency, agent or reference
  npm run --silent applications -- show REFERENCE [--json]     one application on a page
  npm run applications -- note REFERENCE "TEXT"                adds a note to the events
  npm run applications -- take REFERENCE                       records that you are handling it
  npm run applications -- release REFERENCE                    records that nobody is handling it
  npm run applications -- contact REFERENCE [--email …] [--mobile …] [--send] [--allow-duplicates] [--json]
      corrects an invitation's contact details: revokes its links, and prints a new link to the same application; --send also sends an invitation

  Each takes --by NAME.`;

const headings: Record<string, (listed: ListedApplication) => string> = {
  reference: ({ reference }) => reference,
  status: ({ status }) => status,
  name: ({ name }) => name,
  mobile: ({ mobile }) => mobile,
  submitted: ({ submittedAt }) => toTheMinute(submittedAt),
  invited: ({ invitedAt }) => toTheMinute(invitedAt),
  step: ({ step }) => String(step ?? ""),
  opened: ({ openedAt }) => toTheMinute(openedAt),
  "taken by": ({ takenBy }) => takenBy,
  batch: ({ batch }) => batch,
  documents: ({ documents }) => documents ?? "",
  "duplicate of": ({ duplicateOf }) => duplicateOf.join(" "),
  note: ({ note }) => note,
  warning: ({ warning }) => warning,
};

async function printList(found: ListedApplication[], { csv, json }: { csv?: boolean; json?: boolean }): Promise<void> {
  if (json) return print(JSON.stringify(found));
  const names = Object.keys(headings);
  const rows = found.map((listed) => Object.values(headings).map((cell) => cell(listed)));
  if (csv) return writeOut([byteOrderMark, ...[names, ...rows].map((row) => csvLine(row.map(spreadsheetCell)))]);
  if (rows.length > 0) print(table(names, rows));
}

const listOptions = {
  ...filterOptions,
  csv: { type: "boolean" },
  batch: { type: "string" },
  opened: { type: "boolean" },
  unopened: { type: "boolean" },
  step: { type: "string" },
  "taken-by": { type: "string" },
  documents: { type: "string" },
  duplicate: { type: "boolean" },
  sort: { type: "string" },
} as const;

const contactOptions = {
  email: { type: "string" },
  mobile: { type: "string" },
  send: { type: "boolean" },
  "allow-duplicates": { type: "boolean" },
} as const;

const options = { ...listOptions, ...contactOptions, ...byOption, json: { type: "boolean" } } as const;
type Values = ReturnType<typeof parseArguments<{ options: typeof options }>>["values"];

/** For each action, the number of words that it takes, and its flags in addition to --by. */
const actions = {
  list: { least: 0, most: 0, flags: [...Object.keys(listOptions), "json"] },
  find: { least: 1, most: Number.POSITIVE_INFINITY, flags: ["json"] },
  show: { least: 1, most: 1, flags: ["json"] },
  note: { least: 2, most: 2, flags: [] },
  take: { least: 1, most: 1, flags: [] },
  release: { least: 1, most: 1, flags: [] },
  contact: { least: 1, most: 1, flags: [...Object.keys(contactOptions), "json"] },
} satisfies Record<string, { least: number; most: number; flags: string[] }>;
type Action = keyof typeof actions;

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const [action = "", ...words] = positionals;
  if (!Object.hasOwn(actions, action)) throw new UsageError(`Choose ${Object.keys(actions).join(", ")}.`);
  const { least, most, flags } = actions[action as Action];
  if (words.length < least || words.length > most) throw new UsageError(`Wrong number of arguments for ${action}.`);
  refuseOtherFlags(action, values, { [action]: flags });
  if (values.csv && values.json) throw new UsageError("--csv and --json cannot be used together.");
  return { action: action as Action, words, values, by: actorName(values.by) };
}

function filterOf(values: Values): ListFilter {
  const { opened, unopened, step } = values;
  if (opened && unopened) throw new UsageError("--opened and --unopened cannot be used together.");
  return {
    ...readFilter(values),
    batch: values.batch,
    isOpened: opened || unopened ? Boolean(opened) : undefined,
    step: step === undefined ? undefined : (Number(oneOf("step", step, stepNumbers.map(String))) as StepNumber),
    takenBy: values["taken-by"],
    documents: oneOf("documents", values.documents, documentsBy),
    isDuplicate: values.duplicate,
    sort: oneOf("sort", values.sort, sorts),
  };
}

async function read(action: "list" | "find" | "show", words: string, values: Values, by: string): Promise<void> {
  const record = { by, command: `applications ${action}` };
  if (action === "show") {
    const { data, listed } = await readSnapshot(async (tx) => {
      const found = await personalDataIn(tx, words);
      return { data: found, listed: (await listedAs(tx, found.reference))[0] };
    });
    await recordRun({ ...record, reference: data.reference, count: 1 });
    return print(values.json ? JSON.stringify(data, null, 2) : applicationPage(data, listed));
  }
  const filter = filterOf(values);
  if (filter.batch !== undefined) await requireBatch(filter.batch);
  const found = action === "list" ? await listApplications(filter) : await findApplications(words);
  await recordRun({ ...record, count: found.length });
  await printList(found, values);
  if (found.length === 0) console.error("No applications found.");
  if (action === "find" && found.length === maxSearchResults)
    console.error(`Only the newest ${maxSearchResults} are shown. Add a word to narrow the search.`);
}

const reasons = {
  email: "An SMS is sent only if no email can be sent.",
  sms: "No email can be sent: there is no address, email to it has bounced, or SMTP_URL is not set.",
};

function describeCorrected({ reference, link, expiresAt, sentBy, replaced }: Corrected, given: CorrectedContact) {
  const names = (["email", "mobile"] as const).filter((name) => given[name]);
  return [
    `The contact details of ${reference} have been corrected and its old links revoked.`,
    // Another operator may have corrected them just before.
    ...names.map((name) => `${name.padEnd(13)}${replaced[name] || "none"} → ${given[name]}`),
    `Link         ${link}`,
    `Valid until  ${toTheMinute(expiresAt)}`,
    ...(sentBy ? [`An invitation will be sent by ${channelNames[sentBy]}. ${reasons[sentBy]}`] : []),
  ];
}

async function contact(reference: string, values: Values, by: string): Promise<void> {
  const { send, "allow-duplicates": allowDuplicates } = values;
  const { data: correction, error } = contactSchema.safeParse({ email: values.email, mobile: values.mobile });
  if (error) throw new UsageError(error.issues.map(({ path, message }) => `${String(path[0])} ${message}`).join("; "));
  if (!correction.email && !correction.mobile) throw new UsageError("--email or --mobile is needed.");
  if (send) requireSending();
  requireAppUrl();
  // An empty value counts as not given. It would delete what the lender knows.
  const given = { email: correction.email || undefined, mobile: correction.mobile || undefined };
  const options = { expiresDays: linkDays, by, send, allowDuplicates };
  const printCorrected = (corrected: Corrected) =>
    printAtOnce(values.json ? [JSON.stringify(corrected)] : describeCorrected(corrected, given));
  await withDatabase(() =>
    printBeforeCommit(printCorrected, (beforeCommit) => correctContact(reference, given, { ...options, beforeCommit })),
  );
  reportLinkTarget();
}

export default command(module, usage, async (args) => {
  const { action, words, values, by } = readArguments(args);
  const [reference = "", text = ""] = words;
  switch (action) {
    case "note": {
      if (text.trim() === "") throw new UsageError("Give the text of the note.");
      const noted = await withDatabase(() => addNote(reference, oneLine(text.trim()), by));
      return console.log(`Noted on ${noted}.`);
    }
    case "take": {
      const { reference: taken, takenBy } = await withDatabase(() => takeApplication(reference, by));
      return console.log(takenBy ? `You are already handling ${taken}.` : `${taken} is now taken by ${by}.`);
    }
    case "release": {
      const { reference: released, takenBy } = await withDatabase(() => releaseApplication(reference, by));
      return print(
        takenBy ? `${released} is released; ${takenBy} was handling it.` : `Nobody was handling ${released}.`,
      );
    }
    case "contact":
      return contact(reference, values, by);
    default:
      return withDatabase(() => read(action, words.join(" "), values, by));
  }
});
