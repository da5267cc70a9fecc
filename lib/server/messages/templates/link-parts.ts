import "server-only";
import type { Brand } from "@/lib/brand";
import type { Fact, Part } from "./letter";
import type { Told } from "./told";
import { writtenTime } from "./written-times";

export const referenceFact = ({ reference }: Told): Fact => ["Reference", reference];

export const timeFact = (label: string, at: Date | undefined, brand: Brand): Fact[] =>
  at ? [[label, writtenTime(at, brand)]] : [];

/** The way into the application, until when it works, and why not to pass it on. */
export function linkParts({ link, linkUntil }: Told, brand: Brand, label: string): Part[] {
  if (!link) return [];
  const until = linkUntil ? ` It works until ${writtenTime(linkUntil, brand)}.` : "";
  return [
    { button: label, link },
    `The link opens your application without a password, so please do not pass it on.${until}`,
  ];
}
