import { hash } from "node:crypto";
import type { Db } from "@/lib/server/db/client";
import { type Application, type MessageChannel, Prisma, type Suppression } from "@/prisma/generated/client";
import { type Contact, preferredContact } from "./enqueue";

/** The key of a suppression, which holds no address. Email addresses are compared without regard to case. */
export function addressHash(channel: string, address: string): string {
  return hash("sha256", `${channel}:${address.toLowerCase()}`);
}

/** The same key of a column of applications `a`. */
export function addressHashOf(channel: string, column: keyof Application): Prisma.Sql {
  return Prisma.raw(`encode(sha256(convert_to('${channel}:' || lower(a."${column}"), 'UTF8')), 'hex')`);
}

/** The `by` of a suppression that a bounce has caused. The recipient has not opted out. */
export const mailSystem = "the mail system";

/** The error of a message that was cancelled because its recipient gets no more of its kind. Other code decides by it. */
export const stoppedError = "stopped";

/** The error of a message that was cancelled because it went, or was to go, to a contact that has been corrected. */
export const correctedError = "the contact was corrected";

/** The `detail` of an SMS that is sent because an email bounced. */
export const insteadOfEmail = "instead of an email";

const isBounce = ({ by }: Suppression) => by === mailSystem;

const hashOf = ({ channel, recipient }: Contact) => addressHash(channel, recipient);

export function findSuppressions(db: Db, contacts: Contact[]): Promise<Suppression[]> {
  // The index begins with the channel. Without it, Postgres before version 18 reads every suppression.
  const channel: { in: MessageChannel[] } = { in: ["email", "sms"] };
  // Prisma divides a long list into several statements, but not beside a `not`.
  return db.suppression.findMany({ where: { channel, addressHash: { in: contacts.map(hashOf) } } });
}

const hashesOf = (suppressions: Suppression[]) => new Set(suppressions.map((suppression) => suppression.addressHash));

/** Returns the recipients that get no invitations or reminders. */
export async function suppressedRecipients(db: Db, contacts: Contact[]): Promise<Set<string>> {
  const stopped = hashesOf(await findSuppressions(db, contacts));
  return new Set(contacts.filter((contact) => stopped.has(hashOf(contact))).map(({ recipient }) => recipient));
}

/** Whether somebody has opted out at any of these contacts. A bounce is not an opt-out. */
export async function hasOptedOut(db: Db, contacts: Contact[]): Promise<boolean> {
  return !(await findSuppressions(db, contacts)).every(isBounce);
}

export async function hasBounced(db: Db, contact: Contact): Promise<boolean> {
  return (await findSuppressions(db, [contact])).some(isBounce);
}

type Invited = Pick<Application, "invitedEmail" | "invitedMobile">;

export function invitedContacts({ invitedEmail, invitedMobile }: Invited): Contact[] {
  return [
    { channel: "email", recipient: invitedEmail },
    { channel: "sms", recipient: invitedMobile },
  ];
}

/** How a message can reach an invited person. */
export interface Reachability {
  /** Null if no channel is left. */
  contact: Contact | null;
  /** Somebody has opted out at one of the invited contacts. */
  isOptedOut: boolean;
}

/**
 * Adds to each invited person how a message can reach them: by SMS if mail to the email address bounces. An address whose owner
 * has opted out stays the contact, so that no SMS bypasses the opt-out.
 */
export async function withReachability<I extends Invited>(db: Db, invited: I[]): Promise<(I & Reachability)[]> {
  const found = await findSuppressions(db, invited.flatMap(invitedContacts));
  const all = hashesOf(found);
  const optedOut = hashesOf(found.filter((suppression) => !isBounce(suppression)));
  return invited.map((person) => {
    const { invitedEmail, invitedMobile } = person;
    const emailHash = addressHash("email", invitedEmail);
    const isDead = all.has(emailHash) && !optedOut.has(emailHash);
    const contact = preferredContact(isDead ? "" : invitedEmail, invitedMobile);
    return { ...person, contact, isOptedOut: invitedContacts(person).some((each) => optedOut.has(hashOf(each))) };
  });
}

export async function reachabilityOf(db: Db, invited: Invited): Promise<Reachability> {
  const [reachability = { contact: null, isOptedOut: false }] = await withReachability(db, [invited]);
  return reachability;
}
