import "server-only";
import { randomInt, randomUUID } from "node:crypto";
import { answers, invitableAnswers } from "@/lib/domain/application";
import { makeReference } from "@/lib/domain/reference";
import { linkTo } from "@/lib/server/access/link-address";
import { hashToken, makeToken } from "@/lib/server/access/token";
import { type InvitedColumns, invitedColumn } from "@/lib/server/database/application-row";
import { prisma } from "@/lib/server/database/prisma";
import { Prisma } from "@/prisma/generated/client";
import type { Invitation } from "./invitation";

/** A link as the command prints it. The token is not stored, so it cannot be shown again. */
export interface IssuedLink {
  reference: string;
  link: string;
  token: string;
  expiresAt: string;
}

const dayMs = 86_400_000;
/** Rows per INSERT: few enough for Postgres's 65,535 parameters and for the time-out of a statement. */
const batch = 500;
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

function prepare(invitation: Invitation) {
  const applicationId = randomUUID();
  const linkId = randomUUID();
  const token = makeToken();
  const reference = makeReference(randomInt);
  const expiresAt = new Date(Date.now() + invitation.expiresDays * dayMs);
  const { source, quotes } = invitation;
  return {
    application: { id: applicationId, reference, source, quotes, ...columnsOf(invitation) },
    link: { id: linkId, applicationId, expiresAt },
    token: { linkId, tokenHash: hashToken(token) },
    event: { applicationId, linkId, kind: "link_issued" as const },
    issued: { reference, link: linkTo(token, source), token, expiresAt: expiresAt.toISOString() },
  };
}

/** Creates an application and a link for each invitation: all of them, or none. */
export async function createInvitations(invitations: Invitation[]): Promise<IssuedLink[]> {
  for (let attempt = 1; ; attempt += 1) {
    const prepared = invitations.map(prepare);
    try {
      await insert(prepared);
      return prepared.map((row) => row.issued);
    } catch (error) {
      // P2002, unique constraint: a random reference is taken already. Retry with new ones.
      const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
      if (!isTaken || attempt === mostAttempts) throw error;
    }
  }
}

function insert(prepared: ReturnType<typeof prepare>[]): Promise<void> {
  return prisma().$transaction(
    async (transaction) => {
      for (let start = 0; start < prepared.length; start += batch) {
        const rows = prepared.slice(start, start + batch);
        await transaction.application.createMany({ data: rows.map((row) => row.application) });
        await transaction.link.createMany({ data: rows.map((row) => row.link) });
        await transaction.linkToken.createMany({ data: rows.map((row) => row.token) });
        await transaction.event.createMany({ data: rows.map((row) => row.event) });
      }
    },
    { timeout: 120_000 },
  );
}
