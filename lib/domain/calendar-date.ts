/** Calendar dates are 'YYYY-MM-DD' strings, never Date objects: no time zone applies, and they compare as strings. */
const written = /^(\d{4,6})-(\d{2})-(\d{2})$/;

/** The years that a lease can be in: typing a year passes through 0002, 0020 and 0202. */
export const firstYear = 1900;
export const lastYear = 2199;

/** What a date field holds while parts of the date are missing: the browser gives no text for it. */
export const unfinishedDate = "unfinished";

/** True for a day that exists, in whatever year: not for 30 February. */
export function isRealDay(text: string): boolean {
  const parts = written.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  // A day that its month lacks is counted on into another month.
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
}

/** True for a day that exists, in a plausible year. */
export function isCalendarDate(text: string): boolean {
  const year = Number.parseInt(text, 10);
  return isRealDay(text) && year >= firstYear && year <= lastYear;
}

/** Cached: creating a formatter costs a hundred times what using it does, and dates are shown while typing. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** A long date for reading, such as 'March 1, 2026'. */
export function formatCalendarDate(text: string, locale: string): string {
  const formatter = formatters.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  formatters.set(locale, formatter);
  return formatter.format(new Date(`${text}T00:00:00Z`));
}
