import "server-only";
import { randomInt, randomUUID } from "node:crypto";
import { answers, invitableAnswers } from "@/lib/domain/application";
import { makeReference } from "@/lib/domain/reference";
import { type InvitedColumns, invitedColumn } from "@/lib/server/db/application-row";
import { type Db, longTransaction, prisma } from "@/lib/server/db/client";
import { codeOf } from "@/lib/server/db/errors";
import { databaseNow, insertAll, insertApplications, lockMobiles } from "@/lib/server/db/statements";
import { hashToken, linkTo, makeToken } from "@/lib/server/links/token";
import { type Contact, invitationRows, invitedContact } from "@/lib/server/messages/outbox/enqueue";
import { reachableContacts } from "@/lib/server/messages/outbox/stopped";
import type { Invitation } from "./invitation";
import { refuseOpen } from "./issued-already";
import { shareListLock } from "./list-lock";

/** A link as the command prints it. The token is not stored, so it cannot be shown again. */
export interface IssuedLink {
  reference: string;
  link: string;
  token: string;
  expiresAt: string;
}

interface Circumstances {
  /** Who issues them, for the event. */
  by?: string;
  /** Whether the product sends them, and reminders, to what the invitation says. */
  send?: boolean;
  /** The name of the file's invitations, for reissuing them together. */
  batch?: string;
  /** One for each invitation that is a row of a list. A row whose hash the batch has already is left out. */
  rowHashes?: string[];
  /** Whether a mobile may have another open application. */
  allowDuplicates?: boolean;
  /** The key of the API by which they come, and the tokens of their links. */
  apiKeyId?: string;
  tokens?: string[];
  /** Called first: if it fails, none is issued. */
  begin?: (tx: Db, now: Date) => Promise<void>;
  /** Called with the links before they are committed, and the positions of their invitations: if it fails, none is issued. */
  beforeCommit?: (issued: IssuedLink[], positions: number[], tx: Db) => Promise<void> | void;
}

const dayMs = 86_400_000;
/** Rows per INSERT: few enough for the time-out of a statement. */
const rowsAtOnce = 500;
const mostAttempts = 5;

/** Each value of the invitation twice: as the answer, which the applicant may change, and as what was invited. */
function columnsOf(invitation: Invitation) {
  const said = invitableAnswers.map((name) => {
    // Columns of amounts are nullable, columns of text default to ''.
    const value = invitation.answers[name] ?? (answers[name].kind === "money" ? null : "");
    return { [name]: value, [invitedColumn(name)]: value };
  });
  return Object.assign({}, ...said) as Invitation["answers"] & InvitedColumns;
}

/** Where the product sends an invitation; null where it cannot. */
export function contactOf({ answers: said }: Invitation): Contact | null {
  return invitedContact(said.email ?? "", said.mobile ?? "");
}

/** Where each goes now: not to an address that the mail system says nothing reaches. */
export function contactsOf(db: Db, invitations: Invitation[]): Promise<(Contact | null)[]> {
  const invited = invitations.map(({ answers: { email = "", mobile = "" } }) => ({
    invitedEmail: email,
    invitedMobile: mobile,
  }));
  return reachableContacts(db, invited);
}

function prepare(
  invitation: Invitation,
  position: number,
  circumstances: Circumstances,
  now: Date,
  contact: Contact | null,
) {
  const { batch = "", by = "", rowHashes, apiKeyId } = circumstances;
  const applicationId = randomUUID();
  const linkId = randomUUID();
  const token = circumstances.tokens?.[position] ?? makeToken();
  const reference = makeReference(randomInt);
  const expiresAt = new Date(now.getTime() + invitation.expiresDays * dayMs);
  const { source, quotes, consentBasis } = invitation;
  const rowHash = rowHashes?.[position] ?? null;
  return {
    position,
    application: {
      id: applicationId,
      reference,
      source,
      quotes,
      batch,
      rowHash,
      consentBasis,
      ...(apiKeyId ? { apiKeyId } : {}),
      ...columnsOf(invitation),
    },
    link: { id: linkId, applicationId, expiresAt },
    token: { linkId, tokenHash: `\\x${Buffer.from(hashToken(token)).toString("hex")}` },
    event: { applicationId, linkId, kind: "link_issued" as const, by },
    messages: contact ? invitationRows(applicationId, contact, now, by) : [],
    issued: { reference, link: linkTo(token, source), token, expiresAt: expiresAt.toISOString() },
  };
}

/**
 * Creates an application and a link for each invitation: all of them, or none. Of a list, for each row that is no
 * application yet: it returns the links that it has made.
 */
export async function createInvitations(
  invitations: Invitation[],
  circumstances: Circumstances = {},
): Promise<IssuedLink[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await prisma().$transaction(async (tx) => {
        if (circumstances.rowHashes) await shareListLock(tx);
        const now = await databaseNow(tx);
        await circumstances.begin?.(tx, now);
        await lockMobiles(
          tx,
          invitations.flatMap(({ answers: { mobile } }) => mobile || []),
        );
        const contacts = circumstances.send ? await contactsOf(tx, invitations) : [];
        const prepared = invitations.map((invitation, position) =>
          prepare(invitation, position, circumstances, now, contacts[position] ?? null),
        );
        const inserted = await insert(tx, prepared, circumstances);
        const issued = inserted.map((row) => row.issued);
        const positions = inserted.map(({ position }) => position);
        await circumstances.beforeCommit?.(issued, positions, tx);
        return issued;
      }, longTransaction);
    } catch (error) {
      // SQLSTATE unique_violation: a random reference is taken already. Retry with new ones.
      const isTaken = codeOf(error as Error) === "23505";
      if (!isTaken || attempt === mostAttempts) throw error;
    }
  }
}

type Prepared = ReturnType<typeof prepare>;

/** Returns what it has inserted: not the rows of a list that are applications already. */
async function insert(tx: Db, prepared: Prepared[], { allowDuplicates = true }: Circumstances): Promise<Prepared[]> {
  const inserted: Prepared[] = [];
  for (let start = 0; start < prepared.length; start += rowsAtOnce) {
    const chunk = prepared.slice(start, start + rowsAtOnce);
    const applications = chunk.map((row) => row.application);
    const ids = await insertApplications(tx, applications);
    const rows = chunk.filter(({ application }) => ids.has(application.id));
    // The links of this chunk are not there yet, so these are others: invited since the list was read.
    if (!allowDuplicates)
      await refuseOpen(
        tx,
        rows.map(({ application: { mobile = "" } }) => mobile),
      );
    // Each after what it points to.
    const tables = {
      links: rows.map((row) => row.link),
      link_tokens: rows.map((row) => row.token),
      events: rows.map((row) => row.event),
      messages: rows.flatMap((row) => row.messages),
    };
    for (const [table, its] of Object.entries(tables)) await insertAll(tx, table, its);
    inserted.push(...rows);
  }
  return inserted;
}
