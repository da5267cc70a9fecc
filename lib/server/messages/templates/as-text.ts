import "server-only";
import type { Brand } from "@/lib/brand";
import type { Letter, Part, Table } from "./letter";

function partAsText(part: Part): string {
  if (typeof part === "string") return part;
  if ("facts" in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join("\n");
  if ("rows" in part) return tableAsText(part);
  if ("code" in part) return `${part.note}\n${part.code}`;
  // The link has a line of its own, so that no mail program takes a full stop for a part of it.
  if ("button" in part) return `${part.button}:\n${part.link}`;
  return [part.heading, ...part.items.map(({ title, text }, n) => `${n + 1}. ${title}. ${text}`)].join("\n");
}

/** Columns in line, for a reader with letters of one width. */
function tableAsText({ headings, rows }: Table): string {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0)));
  return all.map((row) => line(row).join("  ")).join("\n");
}

function stopAsText(stop: string, brand: Brand): string {
  return stop ? `Stop invitations and reminders:\n${stop}` : stopByPhone(brand);
}

/** The letter for those who read plain text. */
export function asText({ name, parts, why, stop }: Letter, brand: Brand): string {
  const blocks = [
    greeting(name),
    ...parts.map(partAsText),
    contact(brand),
    senderLines(brand).join("\n"),
    why,
    ...(stop === undefined ? [] : [stopAsText(stop, brand)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Who sends it, as the Spam Act 2003 (Australia) wants it named. */
export const senderLines = ({ legalName, companyNumber, licence }: Brand) => [
  legalName,
  `${companyNumber} · ${licence}`,
];

/** 'Questions?' and whom to ask. */
export const contact = ({ supportPhone, supportHours, supportEmail }: Brand) =>
  `Questions? Call ${supportPhone} (${supportHours}) or email ${supportEmail}.`;

/** How to stop, where there is no page for it. */
export const stopByPhone = ({ supportPhone }: Brand) => `To stop these messages, call ${supportPhone}.`;

/** Letters, or an abbreviation such as 'J.', 'St.' or 'Jr.'. Persian and Sinhala names are written with joiners. */
const nameLike = /^(?:(?:[\p{L}\p{M}\u200c'’ʻʼ·-]|\u200d)+|(?:\p{L}\p{M}*){1,3}\.)$/u;
const mostLetters = 60;
/** Parts of 'Mary-Jane' and 'O'Neill' count as well: otherwise a sentence could be written with hyphens. */
const mostWords = 4;

/**
 * 'Hello Alex,'. Whoever holds a link can type any name and any address, so what a mail program would turn into a link
 * ('example.com'), or what reads as a sentence of its own, is left out.
 */
export function greeting(name = ""): string {
  const isName =
    name.length <= mostLetters &&
    name.split(/[ '’ʻʼ·-]/).length <= mostWords &&
    name.split(" ").every((word) => nameLike.test(word));
  return isName ? `Hello ${name},` : "Hello,";
}
