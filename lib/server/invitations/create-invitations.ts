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

/** A link as it is handed to operations, once: the token cannot be had again. */
export interface IssuedLink {
  reference: string;
  link: string;
  token: string;
  expiresAt: string;
}

const dayMs = 86_400_000;
/** Rows of one INSERT: below Postgres' limit on parameters, and quick enough for the time-out of a statement. */
const batch = 500;
const mostAttempts = 5;

/** The answers that an invitation fills in, and beside them what it said. */
function columnsOf(invitation: Invitation) {
  const said = invitableAnswers.map((name) => {
    // An amount that nobody has named is not there; a text is empty.
    const value = invitation.answers[name] ?? (answers[name].kind === "money" ? null : "");
    return { [name]: value, [invitedColumn(name)]: value };
  });
  return Object.assign({}, ...said) as Invitation["answers"] & InvitedColumns;
}

function prepare(invitation: Invitation, by: string) {
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
    event: { applicationId, linkId, kind: "link_issued" as const, by },
    issued: { reference, link: linkTo(token, source), token, expiresAt: expiresAt.toISOString() },
  };
}

/** Creates an application and a link for each invitation: all of them, or none. */
export async function createInvitations(invitations: Invitation[], by = ""): Promise<IssuedLink[]> {
  for (let attempt = 1; ; attempt += 1) {
    const prepared = invitations.map((one) => prepare(one, by));
    try {
      await insert(prepared);
      return prepared.map((row) => row.issued);
    } catch (error) {
      // Among millions of applications a new reference may now and then be one that is given already: others are tried.
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
