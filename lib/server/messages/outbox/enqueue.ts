import "server-only";
import { createHash } from "node:crypto";
import type { SubmittedStatus } from "@/lib/domain/journey";
import type { Db } from "@/lib/server/db/client";
import { currentSettings } from "@/lib/server/settings";
import type { Application, MessageChannel } from "@/prisma/generated/client";
import type { KindBy, MessageKind } from "./kinds";

/** A message to enqueue: to an address, or to what the application says. Webhooks have no recipient. */
export type Outgoing = {
  [C in MessageChannel]: {
    kind: KindBy<C>;
    channel: C;
    to?: string;
    column?: "email" | "invitedMobile" | "managerEmail";
    detail?: string;
    /** Else at once. */
    dueAt?: Date;
  };
}[MessageChannel];

export function messagesForSubmission(): Outgoing[] {
  const { STAFF_EMAILS, AGENT_NOTICE } = currentSettings();
  return [
    { kind: "confirmation", channel: "email", column: "email" },
    { kind: "not-you", channel: "sms", column: "invitedMobile" },
    ...(AGENT_NOTICE ? [{ kind: "agent-notice", channel: "email", column: "managerEmail" } as const] : []),
    ...STAFF_EMAILS.map((to) => ({ kind: "staff-notice", channel: "email", to }) as const),
    { kind: "application.submitted", channel: "webhook" },
  ];
}

/** The email waits, so that a slip which is corrected meanwhile is never sent. */
export function messagesForStatus(status: SubmittedStatus, dueAt: Date): Outgoing[] {
  return [
    { kind: "status", channel: "email", column: "email", detail: status, dueAt },
    { kind: "application.status_changed", channel: "webhook", detail: status },
  ];
}

export function messagesForOpening(): Outgoing[] {
  return [{ kind: "link.opened", channel: "webhook" }];
}

type Contacts = Pick<Application, "id"> & Partial<Pick<Application, "email" | "invitedMobile" | "managerEmail">>;

/**
 * Writes messages in the transaction of what they report: rolled back, they never were. Returns their channels. Of a channel
 * that is not set up nothing is written: it would all go out on the day that it is.
 */
export async function enqueue(tx: Db, application: Contacts, outgoing: Outgoing[], by = ""): Promise<MessageChannel[]> {
  const { sending } = currentSettings();
  const rows = outgoing
    .filter(({ channel }) => sending[channel] !== undefined)
    .map(({ kind, channel, to, column, detail = "", dueAt }) => {
      const recipient = to ?? (column && application[column]) ?? "";
      return { applicationId: application.id, kind, channel, recipient, detail, dueAt, by };
    })
    .filter(({ channel, recipient }) => channel === "webhook" || recipient !== "");
  if (rows.length > 0) await tx.message.createMany({ data: rows });
  return rows.map(({ channel }) => channel);
}

/** Once for a day, whichever worker does it: the id of the message follows from both. */
export async function enqueueOnceOn(day: string, tx: Db, kind: KindBy<"email">, recipient: string): Promise<void> {
  const id = createHash("md5").update(`${kind} of ${day}`).digest("hex");
  await tx.message.createMany({ data: [{ id, kind, channel: "email", recipient }], skipDuplicates: true });
}

/** Where a message to the person who was invited goes. */
export interface Contact {
  channel: "email" | "sms";
  recipient: string;
}

/** Email where there is an address and a server, else SMS; null where neither is possible. */
export function invitedContact(address: string, digits: string): Contact | null {
  const { email, sms } = currentSettings().sending;
  if (email && address) return { channel: "email", recipient: address };
  return sms && digits ? { channel: "sms", recipient: digits } : null;
}

/** A row of `messages` with a contact that was looked up before. */
export interface MessageRow extends Contact {
  applicationId: string;
  kind: MessageKind;
  dueAt: Date;
  detail: string;
  by: string;
}

const dayMs = 86_400_000;

/** The invitation, due at once, and its reminders: each is judged again when its day has come. */
export function invitationRows(applicationId: string, contact: Contact, now: Date, by: string): MessageRow[] {
  const common = { applicationId, ...contact, by };
  const reminders = currentSettings().REMINDER_DAYS.map((day) => ({
    ...common,
    kind: "reminder" as const,
    dueAt: new Date(now.getTime() + day * dayMs),
    detail: `day ${day}`,
  }));
  return [{ ...common, kind: "invitation", dueAt: now, detail: "" }, ...reminders];
}
