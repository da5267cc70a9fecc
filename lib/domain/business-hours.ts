import { quarterHourMs, sortable } from "./zone-time";

/** Whether an office in this zone is open: Monday to Friday, 9 to 17. */
export function isOpen(at: Date, timeZone: string): boolean {
  const [day = "", time = ""] = sortable(at, timeZone).split(" ");
  const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
  return !isWeekend && time >= "09" && time < "17";
}

/** The next opening after `at`. It tries each quarter hour: days may have 23 or 25 hours, and zones differ by quarter hours. */
export function nextOpening(at: Date, timeZone: string): Date {
  let wasOpen = isOpen(at, timeZone);
  for (let time = (Math.floor(at.getTime() / quarterHourMs) + 1) * quarterHourMs; ; time += quarterHourMs) {
    const next = new Date(time);
    const isNowOpen = isOpen(next, timeZone);
    if (isNowOpen && !wasOpen) return next;
    wasOpen = isNowOpen;
  }
}
