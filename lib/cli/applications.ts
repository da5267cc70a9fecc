import { parseArgs } from "node:util";
import {
  answers,
  type InvitableAnswer,
  invitableAnswers,
  isAsked,
  labelOf,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import { doubtsOf } from "@/lib/domain/shown-answers";
import { secondIn } from "@/lib/domain/zone-time";
import { type PersonalData, personalDataOf } from "@/lib/server/applications/personal-data";
import { findApplications, type Listed, listApplications, mostFound } from "@/lib/server/applications/search";
import {
  type ApplicationRow,
  formatAnswers,
  invitedAnswers,
  invitedColumn,
  statusOf,
} from "@/lib/server/db/application-row";
import { currentSettings } from "@/lib/server/settings";
import { command, UsageError } from "./command";
import { filterOptions, filterUsage, readFilter } from "./options";
import { byteOrderMark, csvLine, minute, print, spreadsheetCell, table } from "./output";
import { withDatabase } from "./with-database";

const usage = `Reads applications.

  npm run --silent applications -- list [--csv | --json]       newest first
${filterUsage}
  npm run --silent applications -- find WORDS [--json]         by name, mobile or reference, in any form
  npm run --silent applications -- show REFERENCE [--json]     one application on a page`;

const headings = ["reference", "status", "name", "mobile", "submitted", "invited", "finding"];

function cells({ reference, status, name, mobile, submittedAt, invitedAt, finding }: Listed): string[] {
  return [reference, status, name, mobile, minute(submittedAt), minute(invitedAt), finding];
}

function formatList(found: Listed[], { csv, json }: { csv?: boolean; json?: boolean }): string {
  if (json) return JSON.stringify(found);
  const rows = found.map(cells);
  if (!csv) return table(headings, rows);
  return (byteOrderMark + [headings, ...rows].map((row) => csvLine(row.map(spreadsheetCell))).join("")).trimEnd();
}

function call() {
  const options = { ...filterOptions, csv: { type: "boolean" }, json: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ strict: true, allowPositionals: true, options });
  const [action, ...words] = positionals;
  const isList = action === "list" && words.length === 0;
  const isFind = action === "find" && words.length > 0;
  const isShow = action === "show" && words.length === 1;
  if (!isList && !isFind && !isShow) throw new UsageError("Choose list, find WORDS or show REFERENCE.");
  if (!isList && (values.csv || values.status || values.since))
    throw new UsageError("--csv, --status and --since go with list.");
  return { action, words: words.join(" "), values, filter: readFilter(values) };
}

type Row = Record<string, unknown>;

const isInvitable = (name: SavedAnswer): name is InvitableAnswer => invitableAnswers.some((one) => one === name);

/** An application for reading: its answers beside the invitation, what was agreed to, and what happened, in order. */
function applicationPage({ reference, application, ...tables }: PersonalData): string {
  const rowsOf = (table: string) => (tables[table] ?? []) as Row[];
  const source = String(application.source ?? "");
  const lines = savedAnswers
    .filter((name) => isAsked(name, source) || application[name])
    .map((name) => answerLine(name, application, source));
  return [
    `${reference}   ${statusOf(application.status as ApplicationRow["status"])}`,
    ...section("When", times(application)),
    ...section("Answers", lines),
    ...section("Agreed to", rowsOf("consent_records").map(consentLine)),
    ...section("Consent to messages", [application.consentBasis].filter(Boolean).map(String)),
    ...section("Links", rowsOf("links").map(linkLine)),
    ...section("Messages", rowsOf("messages").map(messageLine)),
    ...section("What happened", rowsOf("events").map(eventLine)),
  ].join("\n");
}

const section = (title: string, lines: string[]) =>
  lines.length > 0 ? ["", title, ...lines.map((one) => `  ${one}`)] : [];
const column = (label: string) => label.padEnd(26);

/** To the second, in BRAND_TIME_ZONE. */
const time = (value: unknown) => secondIn(new Date(String(value)), currentSettings().brand);

function times({ createdAt, submittedAt, erasedAt }: Row): string[] {
  const known = { invited: createdAt, submitted: submittedAt, "personal data erased": erasedAt };
  return Object.entries(known).flatMap(([what, at]) => (at ? [column(what) + time(at)] : []));
}

function formatAnswer(name: SavedAnswer, value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return answers[name].kind === "money" ? Number(value).toFixed(2) : String(value);
}

/** Of a locked number that may be somebody else's: 'agent changed, call before you use it'. */
function findingOf(name: SavedAnswer, row: Row): string {
  const invited = invitedAnswers(row as ApplicationRow);
  const doubt = doubtsOf(invited, formatAnswers(row as ApplicationRow)).find((one) => one.name === name);
  return doubt ? `still the invitation's number: ${doubt.finding}, call before you use it` : "";
}

function answerLine(name: SavedAnswer, row: Row, source: string): string {
  const answer = formatAnswer(name, row[name]);
  const said = isInvitable(name) ? formatAnswer(name, row[invitedColumn(name)]) : "–";
  const differs = said !== "–" && said !== answer;
  const remark = differs ? `invitation: ${said}` : findingOf(name, row);
  return column(labelOf(name, source) || name) + answer + (remark ? `   (${remark})` : "");
}

function consentLine({ version, consentedAt, authoriseAgent, provideSelf, confirmLoan, address }: Row): string {
  const ticked = Object.entries({ authoriseAgent, provideSelf, confirmLoan }).filter(([, is]) => is);
  const boxes = ticked.map(([box]) => box).join(", ");
  return `${time(consentedAt)}   version ${version}   ${boxes}${address ? `   from ${address}` : ""}`;
}

function linkLine({ createdAt, expiresAt, openedAt, revokedAt }: Row): string {
  const opened = openedAt ? `first opened ${time(openedAt)}` : "never opened";
  return `issued ${time(createdAt)}   ${revokedAt ? `revoked ${time(revokedAt)}` : `until ${time(expiresAt)}`}   ${opened}`;
}

function messageLine({ kind, channel, recipient, detail, state, dueAt, sentAt, error }: Row): string {
  const what = `${kind}${detail ? ` (${detail})` : ""} by ${channel}${recipient ? ` to ${recipient}` : ""}`;
  const when = sentAt ? time(sentAt) : `due ${time(dueAt)}`;
  return [what, error ? `${state}: ${error}` : state, when].join("   ");
}

function eventLine({ at, kind, detail, by, databaseUser, reason, address }: Row): string {
  const what = String(kind).replaceAll("_", " ");
  const parts = [
    what + (detail ? `: ${detail}` : ""),
    by && `by ${by}`,
    databaseUser && `login ${databaseUser}`,
    reason && `“${reason}”`,
    address && `from ${address}`,
  ];
  return [time(at), ...parts.filter(Boolean)].join("   ");
}

command(async () => {
  const { action, words, values, filter } = call();
  await withDatabase(async () => {
    if (action === "show") {
      const held = await personalDataOf(words);
      return print(values.json ? JSON.stringify(held, null, 2) : applicationPage(held));
    }
    const found = action === "list" ? await listApplications(filter) : await findApplications(words);
    if (found.length > 0 || values.json) print(formatList(found, values));
    if (found.length === 0) console.error("There is no such application.");
    if (action === "find" && found.length === mostFound)
      console.error(`The newest ${mostFound} are shown: add a word.`);
  });
}, usage);
