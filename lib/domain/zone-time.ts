/** Where the lender works, and how zones are called there: a part of the brand. */
interface Place {
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

/** 'AEDT' where the locale has a word for it and would not only say 'GMT+11'; else the zone as it is set. */
function zoneName(at: Date, { locale, timeZone }: Place): string {
  const parts = formatter(locale, timeZone, { timeZoneName: "short" }).formatToParts(at);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return /^[A-Z]{2,5}$/.test(name) ? name : timeZone;
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
