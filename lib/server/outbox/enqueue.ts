import type { StatusAfterSubmission } from "@/lib/domain/statuses";
import { addDays } from "@/lib/domain/zone-time";
import type { Db } from "@/lib/server/db/client";
import { lockDailyMessages } from "@/lib/server/db/locks";
import { currentSettings } from "@/lib/server/settings";
import type { Application, MessageChannel, PrismaClient } from "@/prisma/generated/client";
import type { KindOfChannel } from "./message-kinds";

/** A message to enqueue. Webhooks have no recipient. */
type Outgoing = {
  [C in MessageChannel]: { kind: KindOfChannel<C>; channel: C; recipient?: string; detail?: string; dueAt?: Date };
}[MessageChannel];

export function messagesForSubmission({ email, invitedMobile, managerEmail }: Application): Outgoing[] {
  const { STAFF_EMAILS, AGENT_NOTICE } = currentSettings();
  return [
    { kind: "confirmation", channel: "email", recipient: email },
    { kind: "not-you", channel: "sms", recipient: invitedMobile },
    ...(AGENT_NOTICE ? [{ kind: "agent-notice", channel: "email", recipient: managerEmail } as const] : []),
    ...STAFF_EMAILS.map((recipient) => ({ kind: "staff-notice", channel: "email", recipient }) as const),
    { kind: "application.submitted", channel: "webhook" },
  ];
}

/** The email waits until `dueAt`, so that a mistaken status can be corrected before anyone reads it. */
export function messagesForStatus(status: StatusAfterSubmission, email: string, dueAt: Date): Outgoing[] {
  return [
    { kind: "status", channel: "email", recipient: email, detail: status, dueAt },
    { kind: "application.status_changed", channel: "webhook", detail: status },
  ];
}

/**
 * Inserts messages in the transaction of the change that they report, so that a rollback removes them as well. A
 * channel that is not configured gets no rows, because they would all go out on the day that it is configured. A number
 * outside SMS_COUNTRIES gets none, because they would fail.
 */
export async function enqueue(tx: Db, applicationId: string, outgoing: Outgoing[], by = ""): Promise<void> {
  const { sending } = currentSettings();
  const rows = outgoing
    .filter(({ channel, recipient }) => {
      if (channel === "sms") return recipient !== undefined && isCountryAllowed(recipient);
      return sending[channel] !== undefined && (channel === "webhook" || recipient);
    })
    .map((message) => ({ recipient: "", ...message, applicationId, by }));
  if (rows.length > 0) await tx.message.createMany({ data: rows });
}

/**
 * Enqueues a message once a day, however many workers try. The workers wait for each other instead of deriving the id from the
 * day: with an id that anyone can compute, anyone could forge a report that the email has bounced.
 */
export async function enqueueOnceOn(day: string, db: PrismaClient, kind: KindOfChannel<"email">, recipient: string) {
  await db.$transaction(async (tx) => {
    await lockDailyMessages(tx);
    // An index finds the messages without an application, which are few.
    const enqueued = await tx.message.count({ where: { applicationId: null, kind, detail: day } });
    if (enqueued === 0) await tx.message.create({ data: { kind, channel: "email", recipient, detail: day } });
  });
}

/** A channel with the email address or the number (E.164 digits) that it sends to. */
export interface Contact {
  channel: "email" | "sms";
  recipient: string;
}

/** Whether SMS_COUNTRIES allows an SMS to this number (E.164 digits). */
export function isCountryAllowed(digits: string): boolean {
  return currentSettings().sending.sms?.countries.some((dialCode) => digits.startsWith(dialCode)) ?? false;
}

/** Returns email if there is an address and a mail server, otherwise SMS; null if neither is possible. */
export function preferredContact(address: string, digits: string): Contact | null {
  if (currentSettings().sending.email && address) return { channel: "email", recipient: address };
  return isCountryAllowed(digits) ? { channel: "sms", recipient: digits } : null;
}

/** The invitation, due at once, and its reminders, each of which is checked again when it is due. */
export function invitationRows(applicationId: string, contact: Contact, now: Date, by: string) {
  const common = { applicationId, ...contact, by };
  const reminders = currentSettings().REMINDER_DAYS.map((day) => ({
    ...common,
    kind: "reminder" as const,
    dueAt: addDays(now, day),
    detail: `day ${day}`,
  }));
  return [{ ...common, kind: "invitation" as const, dueAt: now, detail: "" }, ...reminders];
}
