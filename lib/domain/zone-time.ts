import { cached } from "./cached";

/** The part of the brand with the lender's time zone, and the locale that names it. */
interface ZoneStyle {
  locale: string;
  timeZone: string;
}

export const quarterHourMs = 900_000;
/** No zone is further away from UTC than this. */
const furthestMs = 15 * 3_600_000;

const formatter = cached(
  (locale: string, timeZone: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }),
);

/** Formats a time in Swedish style, which sorts as text: '2026-11-22 22:17:05'. */
export function sortable(at: Date, timeZone: string): string {
  return formatter("sv", timeZone, { dateStyle: "short", timeStyle: "medium" }).format(at);
}

/** A locale abbreviates only the zones of its own country: en-US names Sydney's zone 'GMT+11'. */
const abbreviating = ["en-AU", "en-NZ", "en-US", "en-GB"];

/** The name that people use for a zone: 'AEDT', or 'Kolkata time' if English has no abbreviation. */
function zoneName(at: Date, { locale, timeZone }: ZoneStyle): string {
  const nameIn = (candidate: string) =>
    formatter(candidate, timeZone, { timeZoneName: "short" })
      .formatToParts(at)
      .find(({ type }) => type === "timeZoneName")?.value ?? "";
  // Stops at the first abbreviation, because an export formats hundreds of thousands of times.
  for (const candidate of [locale, ...abbreviating]) {
    const name = nameIn(candidate);
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  const [area = "", ...places] = timeZone.split("/");
  if (area === "Etc" || places.length === 0) return nameIn("en-AU");
  return `${places.at(-1)?.replaceAll("_", " ")} time`;
}

/** Adds days of 24 hours. A negative number subtracts them. */
export function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * 86_400_000);
}

export function dayIn(at: Date, { timeZone }: Pick<ZoneStyle, "timeZone">): string {
  return sortable(at, timeZone).slice(0, 10);
}

/** Such as '2026-11-22 22:17 AEDT'. */
export function formatToMinute(at: Date, style: ZoneStyle): string {
  return `${sortable(at, style.timeZone).slice(0, 16)} ${zoneName(at, style)}`;
}

export function formatToSecond(at: Date, style: ZoneStyle): string {
  return `${sortable(at, style.timeZone)} ${zoneName(at, style)}`;
}

/** Without its year, a day further ahead might be read as one of this year. */
const nearDays = 300;

/** Such as '22 December' or, with a short month, '22 Dec'. A day far ahead has its year: '22 December 2027'. */
export function dayAndMonth(at: Date, { locale, timeZone }: ZoneStyle, month: "long" | "short" = "long"): string {
  const year = at > addDays(new Date(), nearDays) ? ({ year: "numeric" } as const) : {};
  return withPlainSpaces(formatter(locale, timeZone, { day: "numeric", month, ...year }).format(at));
}

/** 'December 22, 2026 at 3:00 PM AEDT', in the order of the locale. */
export function timeInWords(at: Date, style: ZoneStyle): string {
  const written = formatter(style.locale, style.timeZone, { dateStyle: "long", timeStyle: "short" }).format(at);
  return `${withPlainSpaces(written)} ${zoneName(at, style)}`;
}

/** Some locales put a narrow space before 'PM'. Many phones show it as a box, and the SMS alphabet does not contain it. */
function withPlainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, " ");
}

/** The first moment of a day such as 2026-03-01. Found by search, because a clock that goes forward at midnight skips 0:00. */
export function startOfDay(day: string, style: Pick<ZoneStyle, "timeZone">): Date {
  let time = Date.parse(`${day}T00:00:00Z`) - furthestMs;
  while (dayIn(new Date(time), style) < day) time += quarterHourMs;
  return new Date(time);
}
