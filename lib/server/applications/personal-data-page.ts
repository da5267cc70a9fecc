import "server-only";
import { type AnswerName, answers, labelOf } from "@/lib/domain/application";
import { secondIn } from "@/lib/domain/zone-time";
import { currentSettings } from "@/lib/server/settings";
import type { PersonalData } from "./personal-data";

/** What is held on a person as a page to print: one file that asks for nothing else. */
export function personalDataPage(data: PersonalData): string {
  const { reference, exportedAt, application, ...tables } = data;
  const parts = Object.entries({ application: [application], ...tables }).map(
    ([name, rows]) =>
      `<h2>${escaped(inWords(name))}</h2>\n${(rows as Record<string, unknown>[]).map(list).join("<hr>\n")}`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(reference)}: what is held</title>
<style>
body { font: 11pt/1.4 sans-serif; max-width: 45em; margin: 2em auto; }
dl { display: grid; grid-template-columns: 14em 1fr; gap: 0.2em 1em; }
dt { color: #555; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
<h1>What is held on application ${escaped(reference)}</h1>
<p>As of ${escaped(time(exportedAt))}.</p>
${parts.join("\n")}
</html>
`;
}

function list(row: Record<string, unknown>): string {
  const said = Object.entries(row).filter(([, value]) => value !== null && value !== "" && value !== undefined);
  return `<dl>\n${said.map(([name, value]) => `<dt>${escaped(label(name))}</dt><dd>${escaped(written(name, value))}</dd>`).join("\n")}\n</dl>\n`;
}

const label = (column: string) => (column in answers && labelOf(column as AnswerName)) || inWords(column);

/** 'invitedFirstName' as 'Invited first name'. */
function inWords(name: string): string {
  const words = name.replaceAll("_", " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const time = (instant: unknown) => secondIn(new Date(String(instant)), currentSettings().brand);

function written(column: string, value: unknown): string {
  // The names of all times end so, and those of no answer: a calendar date has no zone.
  if (/^at$|At$/.test(column)) return time(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}
