import { toTheSecond } from "@/lib/cli/shared/output";
import {
  answers,
  type InvitableAnswer,
  isAskedFor,
  labelOf,
  optionWords,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import { warningOf } from "@/lib/domain/shown-answers";
import { consentBoxes } from "@/lib/server/applications/export";
import type { PersonalData } from "@/lib/server/applications/personal-data";
import type { ListedApplication } from "@/lib/server/applications/search";
import { type ApplicationRow, formatAnswers, invitedAnswers, invitedColumn } from "@/lib/server/db/application-row";

type Row = Record<string, unknown>;

/** Formats an application for reading: answers beside the invitation's values, then consent, links, messages and events. */
export function applicationPage(data: PersonalData, listed?: ListedApplication): string {
  const { reference, application } = data;
  const source = String(application.source ?? "");
  const lines = savedAnswers
    .filter((name) => isAskedFor(name, source) || application[name])
    .map((name) => answerLine(name, application, source));
  return [
    [reference, ...(listed ? summaryOf(listed) : [])].join("   "),
    ...section("When", times(application)),
    ...section("Answers", lines),
    ...section("Agreed to", data.consent_records.map(consentLine)),
    ...section("Consent to messages", [application.consentBasis].filter(Boolean).map(String)),
    ...section("Links", data.links.map(linkLine)),
    ...section("Messages", data.messages.map(messageLine)),
    ...section("What happened", data.events.map(eventLine)),
  ].join("\n");
}

function summaryOf({ status, step, takenBy, duplicateOf }: ListedApplication): string[] {
  return [
    step === null ? status : `${status}, at step ${step}`,
    ...(takenBy ? [`taken by ${takenBy}`] : []),
    ...(duplicateOf.length > 0 ? [`the same mobile as ${duplicateOf.join(", ")}`] : []),
  ];
}

const section = (title: string, lines: string[]) =>
  lines.length > 0 ? ["", title, ...lines.map((line) => `  ${line}`)] : [];
const column = (label: string) => label.padEnd(26);

function times({ createdAt, submittedAt, erasedAt }: Row): string[] {
  const moments = { invited: createdAt, submitted: submittedAt, "personal data erased": erasedAt };
  return Object.entries(moments).flatMap(([label, at]) => (at ? [column(label) + toTheSecond(at)] : []));
}

function displayAnswer(name: SavedAnswer, value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return answers[name].kind === "money" ? Number(value).toFixed(2) : optionWords(name, String(value));
}

/** The warning about a locked number that may belong to somebody else. Empty if there is none. */
function remarkOn(name: SavedAnswer, row: Row): string {
  const invited = invitedAnswers(row as ApplicationRow);
  const warning = warningOf(name, invited, formatAnswers(row as ApplicationRow));
  return warning ? `still the invitation's number: ${warning.text}, call before you use it` : "";
}

function answerLine(name: SavedAnswer, row: Row, source: string): string {
  const answer = displayAnswer(name, row[name]);
  // Not every answer has such a column.
  const invitedValue = displayAnswer(name, row[invitedColumn(name as InvitableAnswer)]);
  const differs = invitedValue !== "–" && invitedValue !== answer;
  const remark = differs ? `invitation: ${invitedValue}` : remarkOn(name, row);
  return column(labelOf(name, source) || "Source") + answer + (remark ? `   (${remark})` : "");
}

function consentLine({ version, consentedAt, address, ...ticks }: Row): string {
  const boxes = Object.entries(consentBoxes).flatMap(([name, words]) => (ticks[name] ? words : []));
  return `${toTheSecond(consentedAt)}   version ${version}   ${boxes.join(", ")}${address ? `   from ${address}` : ""}`;
}

function linkLine({ createdAt, expiresAt, openedAt, revokedAt }: Row): string {
  const end = new Date(String(expiresAt)) > new Date() ? "until" : "expired";
  const validity = revokedAt ? `revoked ${toTheSecond(revokedAt)}` : `${end} ${toTheSecond(expiresAt)}`;
  const opened = openedAt ? `first opened ${toTheSecond(openedAt)}` : "never opened";
  return [`issued ${toTheSecond(createdAt)}`, validity, opened].join("   ");
}

function messageLine({ kind, channel, recipient, detail, state, dueAt, sentAt, error }: Row): string {
  const what = `${kind}${detail ? ` (${detail})` : ""} by ${channel}${recipient ? ` to ${recipient}` : ""}`;
  const when = sentAt ? toTheSecond(sentAt) : `due ${toTheSecond(dueAt)}`;
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
  return [toTheSecond(at), ...parts.filter(Boolean)].join("   ");
}
