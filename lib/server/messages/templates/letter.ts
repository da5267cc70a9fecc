import "server-only";
import type { Brand } from "@/lib/brand";
import { asHtml } from "./as-html";
import { asText } from "./as-text";
import type { Template, WrittenEmail } from "./template";
import type { Told } from "./told";

/** What an email says, before it is drawn as text (as-text.ts) and as HTML (as-html.ts). */
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

/** A paragraph, facts in rows, the one thing to press, or a list with its heading. */
export type Part = string | { facts: Fact[] } | { button: string; link: string } | { heading: string; items: Item[] };

export type Fact = readonly [label: string, value: string];

interface Item {
  title: string;
  text: string;
}

export function emailOf(version: string, letter: (told: Told, brand: Brand) => Letter): Template<WrittenEmail> {
  return {
    version,
    write(told, brand) {
      const written = letter(told, brand);
      return { subject: written.subject, text: asText(written, brand), html: asHtml(written, brand) };
    },
  };
}
