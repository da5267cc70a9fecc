import {
  type AnswerName,
  answers,
  type InvitableAnswer,
  labelOf,
  optionWords,
  savedAnswers,
} from "@/lib/domain/application";
import type { PersonalData } from "@/lib/server/applications/personal-data";
import { invitedColumn } from "@/lib/server/db/application-row";
import { html } from "@/lib/server/messages/templates/html";
import { toTheSecond } from "./output";

/** Formats the stored data of a person as a printable page: a single file that loads nothing else. */
export function personalDataPage({ reference, exportedAt, application, ...tables }: PersonalData): string {
  const parts = Object.entries({ application: [application], ...tables }).map(
    ([name, rows]) => html`<h2>${inWords(name)}</h2>\n${rows.map(list)}`,
  );
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${reference}: stored personal data</title>
<style>
body { font: 11pt/1.4 sans-serif; max-width: 45em; margin: 2em auto; }
dl { display: grid; grid-template-columns: 14em 1fr; gap: 0.2em 1em; }
dl + dl { border-top: 1px solid #555; padding-top: 1em; }
dt { color: #555; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
<h1>Personal data stored on application ${reference}</h1>
<p>As of ${toTheSecond(exportedAt)}.</p>
${parts}</html>
`.markup;
}

function list(row: Record<string, unknown>) {
  const stored = Object.entries(row).filter(([, value]) => value !== null && value !== "" && value !== undefined);
  const items = stored.map(([name, value]) => html`<dt>${label(name)}</dt><dd>${formatValue(name, value)}</dd>\n`);
  return html`<dl>\n${items}</dl>\n`;
}

const label = (column: string) => (column in answers && labelOf(column as AnswerName)) || inWords(column);

/** Formats 'invitedFirstName' as 'Invited first name'. */
function inWords(name: string): string {
  const words = name.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function formatValue(column: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") return JSON.stringify(value, null, 2);
  const answer = savedAnswers.find((name) => column === name || column === invitedColumn(name as InvitableAnswer));
  if (answer) return optionWords(answer, String(value));
  // Every column of a time has such a name.
  return /^at$|At$/.test(column) ? toTheSecond(value) : String(value);
}
