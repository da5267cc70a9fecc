import { cached } from "./cached";

/** Calendar dates are 'YYYY-MM-DD' strings, never Date objects: no time zone applies, and they compare as strings. */
const datePattern = /^(\d{4,6})-(\d{2})-(\d{2})$/;

/** The range of years that a lease can be in. Typing a year passes through years such as 0002, 0020 and 0202. */
export const firstYear = 1900;
export const lastYear = 2199;

/** The value of a date field while parts of the date are missing. The browser provides no text for such a date. */
export const unfinishedDate = "unfinished";

/** True for a day that exists, in any year. False for 30 February. */
export function isExistingDate(text: string): boolean {
  const parts = datePattern.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  // Date moves a day that its month does not have into another month.
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
}

/** True for a day that exists, in a plausible year. */
export function isCalendarDate(text: string): boolean {
  const year = Number.parseInt(text, 10);
  // A year with a leading zero, such as 02026, would not compare as a string.
  return isExistingDate(text) && text.length === "YYYY-MM-DD".length && year >= firstYear && year <= lastYear;
}

const longDate = cached((locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }));

/** Formats a date for reading, such as 'March 1, 2026'. */
export function formatCalendarDate(text: string, locale: string): string {
  return longDate(locale).format(new Date(`${text}T00:00:00Z`));
}
