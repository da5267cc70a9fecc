/** Calendar dates are 'YYYY-MM-DD' strings, never Date objects: no time zone applies, and they compare as strings. */
const written = /^(\d{4})-(\d{2})-(\d{2})$/;

/** True for a day that exists, in a plausible year: neither 30 February nor the year 0202. */
export function isCalendarDate(text: string): boolean {
  const parts = written.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  if (year < 1900 || year > 2199) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Cached: creating a formatter costs a hundred times what using it does, and dates are shown while typing. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** A long date for reading, such as 'March 1, 2026'. */
export function formatCalendarDate(text: string, locale: string): string {
  const formatter = formatters.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  formatters.set(locale, formatter);
  return formatter.format(new Date(`${text}T00:00:00Z`));
}
