/** Where the lender works, and how zones are called there: a part of the brand. */
export interface Place {
  locale: string;
  timeZone: string;
}

const quarterHourMs = 900_000;
/** No zone is further from UTC. */
const furthestMs = 15 * 3_600_000;

/** Cached: creating a formatter costs a hundred times what using it does, and a list has many times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, timeZone, options]);
  const found = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formatters.set(key, found);
  return found;
}

/** Swedish dates and times sort as text: '2026-11-22 22:17:05'. */
function sortable(at: Date, timeZone: string): string {
  return formatter("sv", timeZone, { dateStyle: "short", timeStyle: "medium" }).format(at);
}

/** Each of them knows the names of its own country's zones; of others it would only say 'GMT+11'. */
const namingLocales = ["en-AU", "en-NZ", "en-GB", "en-US"];

/** As people say it: 'AEDT', or 'Tokyo time' where no locale has a name for it. */
function zoneName(at: Date, { locale, timeZone }: Place): string {
  for (const naming of [locale, ...namingLocales]) {
    const parts = formatter(naming, timeZone, { timeZoneName: "short" }).formatToParts(at);
    const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  const city = timeZone.split("/").at(-1) ?? timeZone;
  return `${city.replaceAll("_", " ")} time`;
}

const inSentence = { year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" } as const;

/** 'November 23, 2026 at 12:30 AM AEDT' */
export function longTimeIn(at: Date, place: Place): string {
  return `${formatter(place.locale, place.timeZone, inSentence).format(at)} ${zoneName(at, place)}`;
}

/** '2026-11-22' */
export function dayIn(at: Date, { timeZone }: Pick<Place, "timeZone">): string {
  return sortable(at, timeZone).slice(0, 10);
}

/** '2026-11-22 22:17 AEDT' */
export function minuteIn(at: Date, place: Place): string {
  return `${sortable(at, place.timeZone).slice(0, 16)} ${zoneName(at, place)}`;
}

/** '2026-11-22 22:17:05 AEDT' */
export function secondIn(at: Date, place: Place): string {
  return `${sortable(at, place.timeZone)} ${zoneName(at, place)}`;
}

/** The first moment of a day such as 2026-03-01. Looked for, since a clock that goes forward at midnight skips 0:00. */
export function startOfDay(day: string, place: Pick<Place, "timeZone">): Date {
  let time = Date.parse(`${day}T00:00:00Z`) - furthestMs;
  while (dayIn(new Date(time), place) < day) time += quarterHourMs;
  return new Date(time);
}
