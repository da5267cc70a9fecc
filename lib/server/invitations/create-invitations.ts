import { randomInt, randomUUID } from "node:crypto";
import { answers, invitableAnswers } from "@/lib/domain/application";
import { makeReference } from "@/lib/domain/reference";
import { addDays } from "@/lib/domain/zone-time";
import { type InvitedColumns, invitedColumn } from "@/lib/server/db/application-row";
import { type Db, longTransaction, prisma } from "@/lib/server/db/client";
import { codeOf, retryOnDeadlock } from "@/lib/server/db/errors";
import { insertAll, insertion } from "@/lib/server/db/insert-all";
import { limitUnreadLinks, lockMobiles, transactionTime } from "@/lib/server/db/locks";
import { hashToken, linkTo, makeToken } from "@/lib/server/links/token";
import { type Contact, invitationRows, preferredContact } from "@/lib/server/outbox/enqueue";
import { withReachability } from "@/lib/server/outbox/reachability";
import type { Application } from "@/prisma/generated/client";
import type { Invitation } from "./invitation";
import { requireNoOpenApplication } from "./issued-already";
import { shareListLock } from "./list-lock";

/** A link as the command prints it. The token is not stored, so it cannot be shown again. */
export interface IssuedLink {
  reference: string;
  link: string;
  token: string;
  expiresAt: string;
  /** The channel by which the app sends a link to the invited contact, if it does. */
  sentBy?: Contact["channel"];
}

interface CreateOptions {
  /** Who issues the links, for the event. */
  by?: string;
  /** Whether the app sends the links, and reminders, to the invited contacts. */
  send?: boolean;
  /** A name for the invitations of one file, by which they can be reissued together. */
  batch?: string;
  /** The hash of each row, if the invitations come from a list. A row whose hash the batch already contains is skipped. */
  rowHashes?: string[];
  /** Whether a mobile may have another open application. */
  allowDuplicates?: boolean;
  /** The API key that creates the invitations, and the tokens of their links. */
  apiKeyId?: string;
  tokens?: string[];
  /** Called first. If it fails, no link is issued. */
  begin?: (tx: Db, now: Date) => Promise<void>;
  /** Called before the commit, with the links and the positions of their invitations. If it fails, no link is issued. */
  beforeCommit?: (issued: IssuedLink[], positions: number[], tx: Db) => Promise<void> | void;
}

/** Rows per INSERT, few enough for the statement time limit. */
const rowsPerInsert = 500;
// Among five million applications, six in ten lists of 10,000 draw a reference that is taken.
const maxAttempts = 20;

/** Stores each value of the invitation twice: as the answer, which the applicant may change, and as the invited value. */
function columnsOf(invitation: Invitation) {
  const pairs = invitableAnswers.map((name) => {
    // Columns of amounts are nullable, columns of text default to ''.
    const value = invitation.answers[name] ?? (answers[name].kind === "money" ? null : "");
    return { [name]: value, [invitedColumn(name)]: value };
  });
  return Object.assign({}, ...pairs) as Invitation["answers"] & InvitedColumns;
}

export function preferredContactOf({ answers: invited }: Invitation): Contact | null {
  return preferredContact(invited.email ?? "", invited.mobile ?? "");
}

const invitedOf = ({ answers: { email = "", mobile = "" } }: Invitation) => ({
  invitedEmail: email,
  invitedMobile: mobile,
});

/** The contact that receives each invitation now; null if every address has bounced or somebody has opted out. */
export async function reachableContacts(db: Db, invitations: Invitation[]): Promise<(Contact | null)[]> {
  const people = await withReachability(db, invitations.map(invitedOf));
  return people.map(({ contact, isOptedOut }) => (isOptedOut ? null : contact));
}

function prepare(invitation: Invitation, position: number, options: CreateOptions, now: Date, contact: Contact | null) {
  const { batch = "", by = "", rowHashes, apiKeyId } = options;
  const applicationId = randomUUID();
  const linkId = randomUUID();
  const token = options.tokens?.[position] ?? makeToken();
  const reference = makeReference(randomInt);
  const expiresAt = addDays(now, invitation.expiresDays);
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
 * Creates an application and a link for each invitation: all of them, or none. Skips the rows of a list that already
 * have an application. Returns the new links.
 */
export async function createInvitations(invitations: Invitation[], options: CreateOptions = {}): Promise<IssuedLink[]> {
  const create = async (tx: Db) => {
    if (options.rowHashes) await shareListLock(tx);
    const now = await transactionTime(tx);
    await options.begin?.(tx, now);
    const mobiles = invitations.flatMap(({ answers: { mobile } }) => mobile || []);
    // A call may create duplicates, so it need not wait while a command prints the links of a long list.
    await lockMobiles(tx, mobiles, { skipLocked: options.apiKeyId !== undefined });
    if (options.beforeCommit) await limitUnreadLinks(tx);
    const people = options.send ? await withReachability(tx, invitations.map(invitedOf)) : [];
    const prepared = invitations.map((invitation, position) =>
      prepare(invitation, position, options, now, people[position]?.contact ?? null),
    );
    const inserted = await insert(tx, prepared, options);
    const issued = inserted.map((row) => row.issued);
    const positions = inserted.map(({ position }) => position);
    await options.beforeCommit?.(issued, positions, tx);
    return issued;
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      // A deadlock can only come before `beforeCommit`, which is therefore not repeated.
      return await retryOnDeadlock(() => prisma().$transaction(create, longTransaction));
    } catch (error) {
      // SQLSTATE unique_violation: a random reference is taken already. Retry with new ones.
      const isTaken = codeOf(error as Error) === "23505";
      if (!isTaken || attempt === maxAttempts) throw error;
    }
  }
}

type Prepared = ReturnType<typeof prepare>;

/** Inserts the rows and returns them, without those of a list that already have an application. */
async function insert(tx: Db, prepared: Prepared[], { allowDuplicates = true }: CreateOptions): Promise<Prepared[]> {
  const inserted: Prepared[] = [];
  for (let start = 0; start < prepared.length; start += rowsPerInsert) {
    const chunk = prepared.slice(start, start + rowsPerInsert);
    const applications = chunk.map((row) => row.application);
    const ids = await insertApplications(tx, applications);
    const rows = chunk.filter(({ application }) => ids.has(application.id));
    // The links of this chunk are not inserted yet, so an open application is another one, invited since the list was read.
    if (!allowDuplicates)
      await requireNoOpenApplication(
        tx,
        rows.map(({ application: { mobile = "" } }) => mobile),
      );
    // Each table follows those that it references.
    const tables = {
      links: rows.map((row) => row.link),
      link_tokens: rows.map((row) => row.token),
      events: rows.map((row) => row.event),
      messages: rows.flatMap((row) => row.messages),
    };
    for (const [table, tableRows] of Object.entries(tables)) await insertAll(tx, table, tableRows);
    inserted.push(...rows);
  }
  return inserted;
}

/** Returns the ids of the rows inserted. Waits for another transaction that is inserting the same row of a list. */
async function insertApplications(tx: Db, rows: object[]): Promise<Set<string>> {
  const statement = `${insertion("applications", rows)} ON CONFLICT (batch, "rowHash") DO NOTHING RETURNING id`;
  // Raw: a bulk insert that skips existing rows.
  const inserted = await tx.$queryRawUnsafe<Pick<Application, "id">[]>(statement, JSON.stringify(rows));
  return new Set(inserted.map(({ id }) => id));
}
