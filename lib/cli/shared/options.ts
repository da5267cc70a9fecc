import { userInfo } from "node:os";
import { isCalendarDate } from "@/lib/domain/calendar-date";
import { applicationStatuses } from "@/lib/domain/statuses";
import { dayIn, startOfDay } from "@/lib/domain/zone-time";
import type { Filter } from "@/lib/server/applications/search";
import type { Contact } from "@/lib/server/outbox/enqueue";
import { readRecipient } from "@/lib/server/outbox/read-recipient";
import { currentSettings } from "@/lib/server/settings";
import { type Flags, UsageError } from "./flags";
import { slug } from "./output";

export const byOption = {
  by: { type: "string", value: "NAME", help: "who runs the command; your login name by default" },
} as const satisfies Flags;

export const jsonOption = { json: { type: "boolean", help: "prints JSON for programs" } } as const satisfies Flags;

export const headingOption = {
  "no-heading": { type: "boolean", help: "leaves out the line of headings" },
} as const satisfies Flags;

export const previewOption = {
  preview: { type: "boolean", help: "shows what would happen, and changes nothing" },
} as const satisfies Flags;

export const yesOption = { yes: { type: "boolean", help: "does not ask on a terminal" } } as const satisfies Flags;

export const forceOption = { force: { type: "boolean", help: "replaces a file that exists" } } as const satisfies Flags;

export const errorsOption = {
  errors: { type: "string", value: "FILE", isPath: true, help: "writes the wrong rows of a list to a new file" },
  force: { type: "boolean", help: "replaces the file of --errors" },
} as const satisfies Flags;

export function requireErrorsFile({ csv, errors, force }: { csv?: string; errors?: string; force?: boolean }): void {
  if (errors !== undefined && csv === undefined) throw new UsageError("--errors requires --csv.");
  if (force && errors === undefined) throw new UsageError("--force requires --errors.");
}

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

export const filterOptions = {
  status: { type: "string", multiple: true, value: "STATUS", help: "only applications with this status" },
  since: {
    type: "string",
    value: "DAY",
    help: "submitted or, if not submitted, invited since then: today or 2026-03-01",
  },
} as const satisfies Flags;

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

export function requireRecipient(text: string): Contact {
  const recipient = readRecipient(text);
  if (!recipient) throw new UsageError(`${text} is neither an email address nor a phone number.`);
  return recipient;
}
