import { userInfo } from "node:os";
import { isCalendarDate } from "@/lib/domain/calendar-date";
import { isPossiblePhone } from "@/lib/domain/phone";
import { applicationStatuses } from "@/lib/domain/statuses";
import { dayIn, startOfDay } from "@/lib/domain/zone-time";
import { answerSchema } from "@/lib/schemas/steps";
import type { Filter } from "@/lib/server/applications/search";
import { normalisePhone } from "@/lib/server/invitations/normalise-phone";
import type { Contact } from "@/lib/server/messages/outbox/enqueue";
import { currentSettings } from "@/lib/server/settings";
import { UsageError } from "./command";
import { slug } from "./output";

export const byOption = { by: { type: "string" } } as const;

/** The name that an event records: `--by NAME`, or else the system's login name. Throws if the system has none. */
export function actorName(by: string | undefined): string {
  if (by?.trim()) return by.trim();
  try {
    return userInfo().username;
  } catch {
    // For instance, a container may run as a user without an entry in /etc/passwd.
    throw new UsageError("This system has no login name: add --by NAME.");
  }
}

/** Throws if a flag besides --by was given that the action does not use. A default of an option would count as given. */
export function refuseOtherFlags(action: string | undefined, values: object, flags: Record<string, string[]>): void {
  const [, allowed = []] = Object.entries(flags).find(([name]) => name === action) ?? [];
  const other = Object.keys(values).find((name) => name !== "by" && !allowed.includes(name));
  if (other) throw new UsageError(`--${other} cannot be used ${action ? `with ${action}` : "without an action"}.`);
}

export const filterOptions = { status: { type: "string", multiple: true }, since: { type: "string" } } as const;

export const filterUsage = `    --status submitted    only applications with this status (may be repeated)
    --since today         or 2026-03-01: submitted since then or, if not submitted, invited since then`;

/** Accepts a status as people write it: 'In review'. */
export function readFilter({ status = [], since }: { status?: string[]; since?: string }): Filter {
  const statuses = status.flatMap((name) => oneOf("status", slug(name), applicationStatuses) ?? []);
  return { statuses, since: parseSince(since) };
}

/** The beginning of the day in BRAND_TIME_ZONE, or null without a day. */
export function parseSince(day: string | undefined): Date | null {
  if (day === undefined) return null;
  const { brand } = currentSettings();
  if (day === "today") return startOfDay(dayIn(new Date(), brand), brand);
  if (!isCalendarDate(day)) throw new UsageError(`--since ${day} is neither 'today' nor a day such as 2026-03-01.`);
  return startOfDay(day, brand);
}

export function oneOf<T extends string>(flag: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  const found = allowed.find((option) => option === value);
  if (value !== undefined && found === undefined)
    throw new UsageError(`--${flag} must be one of ${allowed.join(", ")}.`);
  return found;
}

export function readRecipient(text: string): Contact {
  const { data: email } = answerSchema("email", currentSettings().brand).safeParse(text);
  if (email) return { channel: "email", recipient: email };
  const digits = normalisePhone(text);
  if (!isPossiblePhone(digits)) throw new UsageError(`${text} is neither an email address nor a phone number.`);
  return { channel: "sms", recipient: digits };
}
