import "server-only";
import { inSenderTransaction, type SenderTransaction } from "@/lib/server/db/sender-pool";
import { Prisma } from "@/prisma/generated/client";
import type { Claimed } from "./claim";
import type { Outcome } from "./outcome";
import { delayAfter } from "./schedule";

/** What came of a claim: of an attempt, or of the look before it. */
export type Ending =
  | Outcome
  /** Not to be sent any more. */
  | { state: "cancelled"; error: string }
  /** Not now. */
  | { state: "postponed"; until: Date; error: string }
  /** The claim has ended: another worker has the message, or it was cancelled. Nothing was sent. */
  | { state: "superseded"; error: string };

/** While its provider is away a message is due again after so long. */
export const awaySeconds = 10;
/** After which a message whose provider is away is given up. */
const patience = "5 days";

/**
 * Writes down how an attempt ended. Only under its own claim: a worker that was slower than its lease changes nothing any
 * more, and what was cancelled meanwhile stays so. A link that was not sent ends with its attempt: a day without a mail
 * server would otherwise push out the links that people have.
 * No save waits for the disk on its account: what a crash of Postgres takes of it is as if the worker had been killed.
 */
export async function finish(
  query: SenderTransaction,
  claimed: Claimed,
  ending: Ending,
  template: string,
  linkId?: string,
): Promise<void> {
  const unsent = ["away", "later", "failed"].includes(ending.state) ? linkId : undefined;
  const { text, values } = Prisma.sql`
    WITH tried AS (
      UPDATE message_attempts SET "endedAt" = now(), outcome = ${ending.state}, error = ${errorOf(ending)}
      WHERE id = ${claimed.attempt}::bigint
    ), ended AS (
      UPDATE links SET "expiresAt" = now() WHERE id = ${unsent ?? null}::uuid
    )
    UPDATE messages SET ${change(claimed, ending)}, error = ${errorOf(ending)}, template = ${template}
    WHERE id = ${claimed.id}::uuid AND state = 'sending' AND "dueAt" = ${claimed.dueAt}
      AND set_config('synchronous_commit', 'off', true) = 'off'`;
  await query({ text, values });
}

/**
 * After the provider was contacted. The application is locked first, as an erasure does, so that neither ends in a deadlock:
 * a message that was sent would be sent again. Saves do not wait for this lock.
 */
export function finishAttempt(claimed: Claimed, ending: Ending, template: string, linkId?: string): Promise<void> {
  return inSenderTransaction(async (query) => {
    const lock = "SELECT FROM applications WHERE id = $1 FOR KEY SHARE";
    await query({ text: lock, values: [claimed.applicationId] });
    await finish(query, claimed, ending, template, linkId);
  });
}

function errorOf(ending: Ending): string {
  return ending.state === "sent" ? "" : ending.error;
}

function change(claimed: Claimed, ending: Ending): Prisma.Sql {
  switch (ending.state) {
    case "sent":
      return Prisma.sql`state = 'sent', "sentAt" = now(), "providerId" = ${ending.providerId ?? ""}`;
    case "postponed":
      return Prisma.sql`state = 'waiting', "dueAt" = ${ending.until}, "firstDueAt" = NULL, attempts = attempts - 1`;
    case "away":
      return Prisma.sql`state = CASE WHEN EXISTS (
          SELECT FROM message_attempts t WHERE t."messageId" = messages.id AND t.at < now() - ${patience}::interval
        ) THEN 'failed'::"MessageState" ELSE 'waiting' END, "dueAt" = now() + make_interval(secs => ${awaySeconds}), attempts = attempts - 1`;
    case "later": {
      const seconds = delayAfter(claimed.channel, claimed.attempts);
      if (seconds === undefined) return Prisma.sql`state = 'failed'`;
      return Prisma.sql`state = 'waiting', "dueAt" = now() + make_interval(secs => ${Math.max(seconds, ending.afterSeconds ?? 0)})`;
    }
    // Perhaps it was sent: it counts as such, for the cap and for what follows it.
    case "unknown":
      return Prisma.sql`state = 'unknown', "sentAt" = now()`;
    // Whoever holds the message now decides.
    case "superseded":
      return Prisma.sql`state = state`;
    default:
      return Prisma.sql`state = ${ending.state}::"MessageState"`;
  }
}
