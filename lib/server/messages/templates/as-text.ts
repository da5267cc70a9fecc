import "server-only";
import type { Brand } from "@/lib/brand";
import { greeting } from "./greeting";
import type { Letter, Part } from "./letter";
import { contact, senderLines, stopByPhone } from "./sender";

function partAsText(part: Part): string {
  if (typeof part === "string") return part;
  if ("facts" in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join("\n");
  // The link has a line of its own, so that no mail program takes a full stop for a part of it.
  if ("button" in part) return `${part.button}:\n${part.link}`;
  return [part.heading, ...part.items.map(({ title, text }, n) => `${n + 1}. ${title}. ${text}`)].join("\n");
}

function stopAsText(stop: string, brand: Brand): string {
  return stop ? `No more invitations and reminders:\n${stop}` : stopByPhone(brand);
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
