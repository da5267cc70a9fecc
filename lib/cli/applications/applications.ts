import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError, type Values } from "@/lib/cli/shared/flags";
import {
  actorName,
  byOption,
  filterOptions,
  headingOption,
  jsonOption,
  oneOf,
  readFilter,
} from "@/lib/cli/shared/options";
import {
  byteOrderMark,
  csvLine,
  onDesk,
  oneLine,
  print,
  printAtOnce,
  printBeforeCommit,
  spreadsheetCell,
  table,
  writeOut,
} from "@/lib/cli/shared/output";
import { channelNames, reportLinkTarget } from "@/lib/cli/shared/sending";
import { type StepNumber, stepNumbers } from "@/lib/domain/journey";
import { findApplications, maxSearchResults } from "@/lib/server/applications/find";
import { addNote, releaseApplication, takeApplication } from "@/lib/server/applications/handling";
import { readListed } from "@/lib/server/applications/personal-data";
import { recordRun } from "@/lib/server/applications/record-run";
import {
  documentsBy,
  type ListedApplication,
  type ListFilter,
  listApplications,
  sorts,
} from "@/lib/server/applications/search";
import { toTheMinute } from "@/lib/server/brand-time";
import { type Corrected, type CorrectedContact, correctContact } from "@/lib/server/invitations/correct-contact";
import { contactSchema } from "@/lib/server/invitations/invitation";
import { requireBatch } from "@/lib/server/invitations/unopened";
import { linkDays } from "@/lib/server/links/token";
import { requireAppUrl, requireSending } from "@/lib/server/sending-settings";
import { applicationPage } from "./application-page";

const usage = `Reads applications, and records notes and who handles them. Reading is recorded.

  bin/rent applications list                        newest first
  bin/rent applications find WORDS                  by name, mobile, email, property, agency, agent or reference
  bin/rent applications show REFERENCE              one application on a page
  bin/rent applications note REFERENCE "TEXT"       adds a note to the events
  bin/rent applications take REFERENCE              records that you are handling it
  bin/rent applications release REFERENCE           records that nobody is handling it
  bin/rent applications contact REFERENCE --email …
      corrects an invitation's contact details: revokes its links, and prints a new link to the same application`;

const inList = { for: ["list"] } as const;
const inContact = { for: ["contact"] } as const;

const flags = {
  status: { ...filterOptions.status, ...inList },
  since: { ...filterOptions.since, ...inList },
  batch: { type: "string", value: "NAME", ...inList, help: "only this batch" },
  opened: { type: "boolean", ...inList, help: "only those whose link was opened" },
  unopened: { type: "boolean", ...inList, help: "only those whose link was never opened" },
  step: { type: "string", value: stepNumbers.join(" | "), ...inList, help: "only drafts that continue at this step" },
  "taken-by": { type: "string", value: "NAME", ...inList, help: "only those that this person is handling" },
  documents: { type: "string", value: documentsBy.join(" | "), ...inList, help: "only if they send the documents" },
  duplicate: { type: "boolean", ...inList, help: "only open applications with the same mobile" },
  sort: { type: "string", value: "ORDER", ...inList, help: sorts.join(", ") },
  csv: { type: "boolean", ...inList, help: "prints CSV for a spreadsheet" },
  "no-heading": { ...headingOption["no-heading"], for: ["list", "find"] },
  json: { ...jsonOption.json, for: ["list", "find", "show", "contact"] },
  email: { type: "string", value: "ADDRESS", ...inContact, help: "the right email address" },
  mobile: { type: "string", value: "NUMBER", ...inContact, help: "the right mobile" },
  send: { type: "boolean", ...inContact, help: "also sends an invitation" },
  "allow-duplicates": { type: "boolean", ...inContact, help: "accepts a mobile that has an open application" },
  ...byOption,
} as const satisfies Flags;
type Given = Values<typeof flags>;

const headings: Record<string, (listed: ListedApplication) => string> = {
  reference: ({ reference }) => reference,
  status: ({ status }) => status,
  name: ({ name }) => name,
  mobile: ({ mobile }) => mobile,
  email: ({ email }) => email,
  property: ({ property }) => property,
  amount: ({ amount }) => amount ?? "",
  marks: ({ marks }) => marks.join(", "),
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

async function printList(found: ListedApplication[], { csv, json, "no-heading": isPlain }: Given): Promise<void> {
  if (json) return print(JSON.stringify(found));
  const names = Object.keys(headings);
  const rows = found.map((listed) => Object.values(headings).map((cell) => cell(listed)));
  const lines = isPlain ? rows : [names, ...rows];
  if (csv) return writeOut([byteOrderMark, ...lines.map((row) => csvLine(row.map(spreadsheetCell)))]);
  if (rows.length > 0) print(table(names, rows, isPlain));
}

/** The least and the greatest number of words that each action takes. */
const actions = {
  list: [0, 0],
  find: [1, Number.POSITIVE_INFINITY],
  show: [1, 1],
  note: [2, 2],
  take: [1, 1],
  release: [1, 1],
  contact: [1, 1],
} satisfies Record<string, [number, number]>;
type Action = keyof typeof actions;

function readArguments(values: Given, [action = "", ...words]: string[]) {
  if (!Object.hasOwn(actions, action)) throw new UsageError(`Choose ${Object.keys(actions).join(", ")}.`);
  const [least, most] = actions[action as Action];
  if (words.length < least || words.length > most) throw new UsageError(`Wrong number of arguments for ${action}.`);
  if (values.csv && values.json) throw new UsageError("--csv and --json cannot be used together.");
  return { action: action as Action, words, by: actorName(values.by) };
}

function filterOf(values: Given): ListFilter {
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

async function read(action: "list" | "find" | "show", words: string, values: Given, by: string): Promise<void> {
  const record = { by, command: `applications ${action}` };
  if (action === "show") {
    const { data, listed } = await readListed(words);
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
    `Valid until  ${toTheMinute(expiresAt)}${onDesk(reference)}`,
    ...(sentBy ? [`An invitation will be sent by ${channelNames[sentBy]}. ${reasons[sentBy]}`] : []),
  ];
}

async function contact(reference: string, values: Given, by: string): Promise<void> {
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

export default command(module, { usage, flags, takesWords: true }, async ({ values, words: given }) => {
  const { action, words, by } = readArguments(values, given);
  const [reference = "", text = ""] = words;
  switch (action) {
    case "note": {
      if (text.trim() === "") throw new UsageError("Give the text of the note.");
      const noted = await withDatabase(() => addNote(reference, oneLine(text.trim()), by));
      return console.log(`Noted on ${noted}.${onDesk(noted)}`);
    }
    case "take": {
      const { reference: taken, takenBy } = await withDatabase(() => takeApplication(reference, by));
      const sentence = takenBy ? `You are already handling ${taken}.` : `${taken} is now taken by ${by}.`;
      return console.log(`${sentence}${onDesk(taken)}`);
    }
    case "release": {
      const { reference: released, takenBy } = await withDatabase(() => releaseApplication(reference, by));
      const sentence = takenBy
        ? `${released} is released; ${takenBy} was handling it.`
        : `Nobody was handling ${released}.`;
      return print(`${sentence}${onDesk(released)}`);
    }
    case "contact":
      return contact(reference, values, by);
    default:
      return withDatabase(() => read(action, words.join(" "), values, by));
  }
});
