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
import { consentParts, eventParts, linkParts, messageParts } from "@/lib/server/applications/application-words";
import type { PersonalData } from "@/lib/server/applications/personal-data";
import type { ListedApplication } from "@/lib/server/applications/search";
import { toTheSecond } from "@/lib/server/brand-time";
import { type ApplicationRow, formatAnswers, invitedAnswers, invitedColumn } from "@/lib/server/db/application-row";

type Row = Record<string, unknown>;
const joined = (parts: string[]) => parts.join("   ");

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
    ...section(
      "Agreed to",
      data.consent_records.map((row) => joined(consentParts(row))),
    ),
    ...section("Consent to messages", [application.consentBasis].filter(Boolean).map(String)),
    ...section(
      "Links",
      data.links.map((row) => joined(linkParts(row))),
    ),
    ...section(
      "Messages",
      data.messages.map((row) => joined(messageParts(row))),
    ),
    ...section(
      "What happened",
      data.events.map((row) => joined([toTheSecond(row.at), ...eventParts(row)])),
    ),
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
  return warning ? `still the invitation's number: ${warning.text}, call the applicant before you use it` : "";
}

function answerLine(name: SavedAnswer, row: Row, source: string): string {
  const answer = displayAnswer(name, row[name]);
  // Not every answer has such a column.
  const invitedValue = displayAnswer(name, row[invitedColumn(name as InvitableAnswer)]);
  const differs = invitedValue !== "–" && invitedValue !== answer;
  const remark = differs ? `invitation: ${invitedValue}` : remarkOn(name, row);
  return column(labelOf(name, source) || "Source") + answer + (remark ? `   (${remark})` : "");
}
