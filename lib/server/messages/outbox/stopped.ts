import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/lib/server/db/client";
import type { Application, Prisma } from "@/prisma/generated/client";
import { type Contact, invitedContact } from "./enqueue";

/** What a stop is kept under: no address. Email addresses without regard to case. */
export function addressHash(channel: string, address: string): string {
  return createHash("sha256").update(`${channel}:${address.toLowerCase()}`).digest("hex");
}

/** Who stops messages to an address that nothing reaches; its reader has said nothing. */
export const mailSystem = "the mail system";

/** Of a stop: not the mail system's. */
export const byReader = { by: { not: mailSystem } };

/** The detail of a text that is sent because an email bounced. */
export const insteadOfEmail = "instead of an email";

/** Those of the recipients who get no invitations and reminders; `where` narrows down why. */
export async function stoppedAmong(
  db: Db,
  contacts: Contact[],
  where: Prisma.SuppressionWhereInput = {},
): Promise<Set<string>> {
  const hashOf = ({ channel, recipient }: Contact) => addressHash(channel, recipient);
  const found = await db.suppression.findMany({ where: { ...where, addressHash: { in: contacts.map(hashOf) } } });
  const stopped = new Set(found.map((one) => one.addressHash));
  return new Set(contacts.filter((contact) => stopped.has(hashOf(contact))).map(({ recipient }) => recipient));
}

type Invited = Pick<Application, "invitedEmail" | "invitedMobile">;

/**
 * Where a message to each of those who were invited goes: by SMS where the mail system says that nothing reaches the address, and
 * null where nothing else does. An address whose reader has stopped messages stays, so that no SMS goes around that.
 */
export async function reachableContacts(db: Db, invited: Invited[]): Promise<(Contact | null)[]> {
  const emails = invited.map(({ invitedEmail }) => ({ channel: "email", recipient: invitedEmail }) as const);
  const dead = await stoppedAmong(db, emails, { by: mailSystem });
  for (const recipient of await stoppedAmong(db, emails, byReader)) dead.delete(recipient);
  return invited.map((one) => invitedContact(dead.has(one.invitedEmail) ? "" : one.invitedEmail, one.invitedMobile));
}

export async function reachableContact(db: Db, invited: Invited): Promise<Contact | null> {
  const [contact = null] = await reachableContacts(db, [invited]);
  return contact;
}
