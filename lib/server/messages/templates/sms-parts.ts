import "server-only";
import type { Brand } from "@/lib/brand";
import { inGsm7, mostSegments, segmentsOf } from "@/lib/domain/sms-text";
import type { Told } from "./told";
import { writtenDay } from "./written-times";

/**
 * An invitation in two segments: who, why, the reference, the link on a line of its own, whom to call, how to stop. What
 * does not fit beside a long name or link is left out: first the page that stops it, since the same call does.
 */
export function inviteText(opening: string, told: Told, brand: Brand): string {
  const { reference, link = "", linkUntil, stop } = told;
  const until = linkUntil ? `, until ${writtenDay(linkUntil, brand)}` : "";
  const head = `${opening}. Ref ${reference}${until}:\n${link}\n`;
  const texts = [
    ...(stop ? [`${head}Call ${brand.supportPhone}. Stop: ${stop}`] : []),
    `${head}Questions, or to stop: call ${brand.supportPhone}`,
    `${opening}. Ref ${reference}:\n${link}\nTo stop: call ${brand.supportPhone}`,
  ];
  return texts.find((text) => segmentsOf(inGsm7(text)) <= mostSegments) ?? texts.at(-1) ?? "";
}
