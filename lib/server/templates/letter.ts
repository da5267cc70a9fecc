import type { Brand } from "@/lib/brand";
import type { ApplicationStatus } from "@/lib/domain/statuses";
import { timeInWords } from "@/lib/domain/zone-time";
import type { Evidence } from "@/lib/server/evidence/receipt";
import type { CountedFigures } from "@/lib/server/figures/stored-figures";

/** The values that a message can contain. Times are formatted in the brand's locale and time zone. */
export interface TemplateData {
  /** Empty for a message without an application. */
  reference: string;
  /** The applicant's first name; empty if unknown. */
  name: string;
  link?: string;
  linkUntil?: Date;
  /** The page on which the recipient opts out. */
  stop?: string;
  /** The application's page at the desk, for staff. */
  desk?: string;
  submittedAt?: Date | null;
  status?: ApplicationStatus;
  /** The rental advance in dollars, such as '2450.00'. */
  amount?: string | null;
  evidence?: Evidence;
  /** Of all applications, then of those invited in each week. */
  figures?: CountedFigures;
}

export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
}

/** One kind of message on one channel. Its version changes with its wording and is stored with each message. */
export interface Template<Rendered> {
  version: string;
  render(data: TemplateData, brand: Brand): Rendered;
}

/** The content of an email before it is rendered as text (as-text.ts) and HTML (email.ts). */
export interface Letter {
  subject: string;
  /** The line that mail programs show beside the subject. */
  preview: string;
  heading: string;
  /** The applicant's first name as the application stores it. Absent if the recipient is not the applicant. */
  name?: string;
  parts: Part[];
  /** Why the recipient gets this email, in a sentence or two. */
  why: string;
  /** Only for commercial emails: the opt-out page; empty if there is none and the recipient has to call. */
  stop?: string;
  /** A line for a program to read, after everything else. */
  proof?: { note: string; code: string };
}

/** A paragraph, labelled facts, a table, the button, or a list with its heading. */
export type Part =
  | string
  | { facts: Fact[] }
  | Table
  | { button: string; link: string }
  | { heading: string; items: { title: string; text: string }[]; isUnordered?: true };

export type Fact = readonly [label: string, value: string];

/** The first cell of each row is its label. */
export interface Table {
  headings: string[];
  rows: string[][];
}

export const referenceFact = ({ reference }: TemplateData): Fact => ["Reference", reference];

/** The link to the application, its expiry, and the reason not to share it. */
export function linkParts({ link, linkUntil }: TemplateData, brand: Brand): Part[] {
  if (!link) return [];
  const until = linkUntil ? ` It works until ${timeInWords(linkUntil, brand)}.` : "";
  return [
    { button: "Open your application", link },
    `This link opens your application without a password, so please don't share it.${until}`,
  ];
}
