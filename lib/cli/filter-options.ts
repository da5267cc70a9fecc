import { isCalendarDate } from "@/lib/domain/calendar-date";
import { type ApplicationStatus, applicationStatuses } from "@/lib/domain/journey";
import { dayIn, startOfDay } from "@/lib/domain/zone-time";
import type { Filter } from "@/lib/server/applications/filter";
import { currentSettings } from "@/lib/server/settings";

/** For parseArgs of the commands that list applications. */
export const filterOptions = {
  status: { type: "string", multiple: true },
  since: { type: "string" },
} as const;

export const filterUsage = `    --status submitted    only of this status (may be repeated)
    --since today         or 2026-03-01: submitted since then; what is not submitted: invited since then`;

export function readFilter({ status = [], since }: { status?: string[]; since?: string }): Filter {
  const unknown = status.find((given) => !applicationStatuses.some((one) => one === given));
  if (unknown !== undefined) throw new Error(`There is no status ${unknown}: ${applicationStatuses.join(", ")}.`);
  return { statuses: status as ApplicationStatus[], since: sinceOf(since) };
}

/** The beginning of that day in BRAND_TIME_ZONE; null where none is given. */
export function sinceOf(day: string | undefined): Date | null {
  if (day === undefined) return null;
  const { brand } = currentSettings();
  if (day === "today") return startOfDay(dayIn(new Date(), brand), brand);
  if (!isCalendarDate(day)) throw new Error(`--since ${day} is neither 'today' nor a day such as 2026-03-01.`);
  return startOfDay(day, brand);
}
