import "server-only";
import { currentSettings } from "@/lib/server/settings";
import type { MessageKind } from "./kinds";

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
  const reminders = currentSettings().sending.reminderDays.map((day) => ({
    ...common,
    kind: "reminder" as const,
    dueAt: new Date(now.getTime() + day * dayMs),
    detail: `day ${day}`,
  }));
  return [{ ...common, kind: "invitation", dueAt: now, detail: "" }, ...reminders];
}
