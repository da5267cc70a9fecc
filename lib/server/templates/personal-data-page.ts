import {
  answers,
  type InvitableAnswer,
  invitableAnswers,
  labelOf,
  optionWords,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import { readConsentDocument } from "@/lib/domain/consent";
import { centsOf, formatCents } from "@/lib/domain/money";
import { formatPhone } from "@/lib/domain/phone";
import { printable } from "@/lib/domain/printable-text";
import { type ApplicationStatus, statuses } from "@/lib/domain/statuses";
import type { PersonalData } from "@/lib/server/applications/personal-data";
import { toTheMinute } from "@/lib/server/brand-time";
import { invitedColumn } from "@/lib/server/db/application-row";
import { mailSystem } from "@/lib/server/outbox/reachability";
import { currentSettings } from "@/lib/server/settings";
import { html } from "./html";

type Row = Record<string, unknown>;
type Line = [label: string, value: string];

/**
 * Formats the stored data of a person as a page for that person: a single file that loads nothing else. It leaves out what only
 * the database uses: ids and hashes, which the JSON has.
 */
export function personalDataPage(data: PersonalData): string {
  const { reference, exportedAt, application } = data;
  const { brand } = currentSettings();
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${reference}: your personal data</title>
<style>
body { font: 11pt/1.5 sans-serif; max-width: 45em; margin: 2em auto; padding: 0 1em; }
dl { display: grid; grid-template-columns: minmax(8em, 14em) 1fr; gap: 0.2em 1em; margin: 0; }
dl + dl { border-top: 1px solid #555; margin-top: 1em; padding-top: 1em; }
dt { color: #555; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
<h1>What we store about you</h1>
<p>This is what ${brand.legalName} stores about your application ${reference}, as of ${toTheMinute(exportedAt)}.</p>
${section("Your application", [applicationLines(application)])}${section("Your answers", [answerLines(application)])}${section("What we knew when we invited you", [invitedLines(application)])}${section("What you agreed to", data.consent_records.map(consentLines))}${section("Links to your application", data.links.map(linkLines))}${section("Messages to you", data.messages.map(messageLines))}${section("What happened", data.events.map(eventLines))}${section("Addresses that get no invitations", data.suppressions.map(suppressionLines))}</html>
`.markup;
}

/** A section without any value is left out. */
function section(title: string, rows: Line[][]) {
  const filled = rows.map((row) => row.filter(([, value]) => value !== "")).filter((row) => row.length > 0);
  const lists = filled.map(
    (row) => html`<dl>\n${row.map(([label, value]) => html`<dt>${label}</dt><dd>${printable(value)}</dd>\n`)}</dl>\n`,
  );
  return lists.length > 0 ? html`<h2>${title}</h2>\n${lists}` : "";
}

const text = (value: unknown) => (value === null || value === undefined ? "" : String(value));
const time = (value: unknown) => (value ? toTheMinute(String(value)) : "");

/** Writes 'step_saved' or 'fresh-link' as 'Step saved' or 'Fresh link'. */
function inWords(name: unknown): string {
  const words = text(name).replaceAll(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const amount = (value: unknown) => formatCents(centsOf(text(value)), currentSettings().brand, true);

function answer(name: SavedAnswer, value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (answers[name].kind === "money") return amount(value);
  if (answers[name].kind === "phone") return formatPhone(text(value));
  return optionWords(name, text(value));
}

const label = (name: SavedAnswer, source: unknown) => labelOf(name, text(source)) || "Where your link came from";

const answerLines = (row: Row) => savedAnswers.map((name): Line => [label(name, row.source), answer(name, row[name])]);

function invitedLines(row: Row): Line[] {
  const invited = invitableAnswers.map(
    (name: InvitableAnswer): Line => [label(name, row.source), answer(name, row[invitedColumn(name)])],
  );
  const quotes = Array.isArray(row.quotes) ? row.quotes.map(amount).join(", ") : "";
  return [...invited, ["Quotes", quotes], ["Why we may write to you", text(row.consentBasis)]];
}

function statusName(status: unknown): string {
  const name = text(status).replaceAll("_", "-") as ApplicationStatus;
  return name === "draft" ? "Not submitted yet" : (statuses[name]?.name ?? inWords(name));
}

const applicationLines = (row: Row): Line[] => [
  ["Status", row.status ? statusName(row.status) : ""],
  ["Invited", time(row.createdAt)],
  ["List of invitations", text(row.batch)],
  ["Submitted", time(row.submittedAt)],
  ["Handled by", text(row.takenBy)],
  ["Last changed", time(row.updatedAt)],
  ["Personal data erased", time(row.erasedAt)],
];

const boxes = {
  authoriseAgent: "The agent sends the documents",
  provideSelf: "You send the documents",
  confirmLoan: "You confirmed the loan",
};

/** The text that was agreed to, with the boxes as they were ticked. */
function asTicked(row: Row): string {
  const { paragraphs, boxes: shown } = readConsentDocument(text(row.document), row as never);
  const ticks = shown.map(({ label, isTicked }) => `${isTicked ? "[x]" : "[ ]"} ${label}`);
  return [...paragraphs, ...ticks].join("\n");
}

const consentLines = (row: Row): Line[] => [
  ["Agreed", time(row.consentedAt)],
  [
    "Boxes",
    Object.entries(boxes)
      .flatMap(([name, words]) => (row[name] ? words : []))
      .join("\n"),
  ],
  ["Version of the text", text(row.version)],
  ["Text", text(row.document) && asTicked(row)],
  ["From the address", text(row.address)],
  ["With the browser", text(row.userAgent)],
];

const linkLines = (row: Row): Line[] => [
  ["Issued", time(row.createdAt)],
  ["First opened", [time(row.openedAt), text(row.device)].filter(Boolean).join(", on a ")],
  [row.revokedAt ? "Ended" : "Works until", time(row.revokedAt ?? row.expiresAt)],
];

const messageLines = ({ channel, kind, recipient, state, dueAt, sentAt, by }: Row): Line[] =>
  channel === "webhook"
    ? []
    : [
        [`${inWords(kind)} by ${channel === "sms" ? "SMS" : "email"}`, text(recipient)],
        ["State", text(state)],
        [sentAt ? "Sent" : "Due", time(sentAt ?? dueAt)],
        ["Asked for by", text(by)],
      ];

const eventLines = ({ at, kind, detail, by, reason, address }: Row): Line[] => [
  [time(at), [inWords(kind), text(detail)].filter(Boolean).join(": ")],
  ["By", text(by)],
  ["Reason", text(reason)],
  ["From the address", text(address)],
];

const suppressionLines = ({ channel, createdAt, reason, by }: Row): Line[] => [
  [channel === "sms" ? "A mobile" : "An email address", `since ${time(createdAt)}`],
  ["Reason", text(reason)],
  ["By", by === mailSystem ? "our mail server" : text(by)],
];
