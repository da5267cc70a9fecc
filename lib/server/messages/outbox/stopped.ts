import "server-only";
import { createHash } from "node:crypto";
import type { Db } from "@/lib/server/db/client";
import type { Prisma } from "@/prisma/generated/client";
import type { Contact } from "./enqueue";

/** What a stop is kept under: no address. Email addresses without regard to case. */
export function addressHash(channel: string, address: string): string {
  return createHash("sha256").update(`${channel}:${address.toLowerCase()}`).digest("hex");
}

/** Who stops messages to an address that nothing reaches; its reader has said nothing. */
export const mailSystem = "the mail system";

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
