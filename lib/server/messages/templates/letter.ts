import "server-only";
import type { Brand } from "@/lib/brand";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { timeInWords, withPlainSpaces } from "@/lib/domain/zone-time";
import type { Figures } from "@/lib/server/applications/figures";
import type { Evidence } from "@/lib/server/evidence/receipt";

/** What a message may say. Times are written in the brand's locale and zone. */
export interface TemplateData {
  /** Empty for what is about no application. */
  reference: string;
  /** Their first name; empty where unknown. */
  name: string;
  link?: string;
  linkUntil?: Date;
  /** The page on which its reader stops such messages. */
  stop?: string;
  submittedAt?: Date;
  status?: ApplicationStatus;
  /** The rental advance, as in '2450.00'. */
  amount?: string;
  evidence?: Evidence;
  figures?: Figures;
}

export interface WrittenEmail {
  subject: string;
  text: string;
  html: string;
}

/** One kind of message on one channel. Its version changes with its words, and is kept with each message. */
export interface Template<Written> {
  /** 'invitation-1'. */
  version: string;
  write(data: TemplateData, brand: Brand): Written;
}

/** What an email says, before it is drawn as text (as-text.ts) and as HTML (email.ts). */
export interface Letter {
  subject: string;
  /** What mail programs show beside the subject. */
  preview: string;
  heading: string;
  /** The reader's first name, as it was given. Absent: the reader is not whom the application is about. */
  name?: string;
  parts: Part[];
  /** Why it comes to its reader, in a sentence or two. */
  why: string;
  /** Only of what is commercial: the page that stops it; empty where there is none, and a call has to do. */
  stop?: string;
}

/** A paragraph, facts in rows, a table, the one thing to press, text for a program, or a list with its heading. */
export type Part =
  | string
  | { facts: Fact[] }
  | Table
  | { note: string; code: string }
  | { button: string; link: string }
  | { heading: string; items: Item[] };

export type Fact = readonly [label: string, value: string];

/** The first cell of a row names it. */
export interface Table {
  headings: string[];
  rows: string[][];
}

interface Item {
  title: string;
  text: string;
}

export const referenceFact = ({ reference }: TemplateData): Fact => ["Reference", reference];

/** What ends each message that carries evidence: a line that evidence-verify.mjs reads. */
export function evidenceParts({ evidence }: TemplateData): Part[] {
  const note = "Please keep this message. The line below can prove what was recorded, and when:";
  return evidence ? [{ note, code: JSON.stringify(evidence) }] : [];
}

export const timeFact = (label: string, at: Date | undefined, brand: Brand): Fact[] =>
  at ? [[label, timeInWords(at, brand)]] : [];

/** The way into the application, until when it works, and why not to pass it on. */
export function linkParts({ link, linkUntil }: TemplateData, brand: Brand, label: string): Part[] {
  if (!link) return [];
  const until = linkUntil ? ` It works until ${timeInWords(linkUntil, brand)}.` : "";
  return [
    { button: label, link },
    `This link opens your application without a password, so please don't share it.${until}`,
  ];
}

function formatted(at: Date, { locale, timeZone }: Brand, options: Intl.DateTimeFormatOptions): string {
  return withPlainSpaces(new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at));
}

/** '22 December' */
export function writtenDay(at: Date, brand: Brand): string {
  return formatted(at, brand, { day: "numeric", month: "long" });
}

/** '22 Dec' */
export function shortDay(at: Date, brand: Brand): string {
  return formatted(at, brand, { day: "numeric", month: "short" });
}
