import { formatToMinute, formatToSecond } from "@/lib/domain/zone-time";
import { currentSettings } from "./settings";

/** In the lender's time zone, which the text names. */
export function toTheMinute(instant: Date | string | null): string {
  return instant === null ? "" : formatToMinute(new Date(instant), currentSettings().brand);
}

export const toTheSecond = (instant: unknown) => formatToSecond(new Date(String(instant)), currentSettings().brand);
