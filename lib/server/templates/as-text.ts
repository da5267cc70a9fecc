import type { Brand } from "@/lib/brand";
import type { Letter, Part, Table } from "./letter";

function partAsText(part: Part): string {
  if (typeof part === "string") return part;
  if ("facts" in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join("\n");
  if ("rows" in part) return tableAsText(part);
  // The link has its own line, so that no mail program treats a full stop as part of it.
  if ("button" in part) return `${part.button}:\n${part.link}`;
  const mark = (n: number) => (part.isUnordered ? "-" : `${n + 1}.`);
  return [part.heading, ...part.items.map(({ title, text }, n) => `${mark(n)} ${title}. ${text}`)].join("\n");
}

/** Aligns the columns for a monospaced font. */
function tableAsText({ headings, rows }: Table): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)));
  return all.map((row) => line(row).join("  ")).join("\n");
}

export function asText({ name, parts, why, stop, proof }: Letter, brand: Brand): string {
  const blocks = [
    greeting(name),
    ...parts.map(partAsText),
    contact(brand),
    senderLines(brand).join("\n"),
    why,
    ...(stop === undefined ? [] : [stop ? `Stop invitations and reminders:\n${stop}` : stopByPhone(brand)]),
    ...(proof ? [`${proof.note}\n${proof.code}`] : []),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Identifies the sender, as the Spam Act 2003 (Australia) requires. */
export const senderLines = ({ legalName, companyNumber, licence }: Brand) => [
  legalName,
  `${companyNumber} · ${licence}`,
];

export const contact = ({ supportPhone, supportHours, supportEmail }: Brand) =>
  `Questions? Call ${supportPhone} (${supportHours}) or email ${supportEmail}.`;

export const stopByPhone = ({ supportPhone }: Brand) => `To stop these messages, call ${supportPhone}.`;

/** Matches letters, or an abbreviation such as 'J.', 'St.' or 'Jr.'. Persian and Sinhala names contain joiners. */
const nameLike = /^(?:(?:[\p{L}\p{M}\u200c'’ʻʼ·-]|\u200d)+|(?:\p{L}\p{M}*){1,3}\.)$/u;
const maxLength = 60;
/** The parts of 'Mary-Jane' and 'O'Neill' count separately: otherwise hyphens could join a whole sentence into one word. */
const maxWords = 4;

/**
 * Returns 'Hello Alex,'. Anyone who holds a link can type any name and any address, so a name is left out if a mail program
 * would turn it into a link ('example.com') or if it reads like a sentence.
 */
export function greeting(name = ""): string {
  const isName =
    name.length <= maxLength &&
    name.split(/[ '’ʻʼ·-]/).length <= maxWords &&
    name.split(" ").every((word) => nameLike.test(word));
  return isName ? `Hello ${name},` : "Hello,";
}
