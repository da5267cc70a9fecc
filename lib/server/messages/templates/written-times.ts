import "server-only";
import type { Brand } from "@/lib/brand";

/** Some locales part the time from 'PM' by a narrow space that many phones show as a box, and that no plain SMS has. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

function formatted(at: Date, { locale, timeZone }: Brand, options: Intl.DateTimeFormatOptions): string {
  return plain(new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at));
}

/** '22 December 2026 at 3:00 pm AEDT' */
export function writtenTime(at: Date, brand: Brand): string {
  return formatted(at, brand, {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
}

/** '22 December' */
export function writtenDay(at: Date, brand: Brand): string {
  return formatted(at, brand, { day: "numeric", month: "long" });
}
