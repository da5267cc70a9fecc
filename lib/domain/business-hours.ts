const quarterHourMs = 900_000;
const weekend = ["Sat", "Sun"];

/** Whether an office in this zone is open: Monday to Friday, 9 to 17. */
export function isOpen(at: Date, timeZone: string): boolean {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short", hour: "2-digit", hourCycle: "h23" })
    .formatToParts(at)
    .map(({ type, value }) => [type, value]);
  const { weekday, hour } = Object.fromEntries(parts);
  return !weekend.includes(weekday) && Number(hour) >= 9 && Number(hour) < 17;
}

/** The next opening after `at`. It tries each quarter hour: days may have 23 or 25 hours, and zones differ by quarter hours. */
export function nextOpening(at: Date, timeZone: string): Date {
  let last = at;
  for (let time = (Math.floor(at.getTime() / quarterHourMs) + 1) * quarterHourMs; ; time += quarterHourMs) {
    const next = new Date(time);
    if (isOpen(next, timeZone) && !isOpen(last, timeZone)) return next;
    last = next;
  }
}
