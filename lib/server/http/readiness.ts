import { type Db, hasReadOnlyPool, prisma, withDeadline } from "@/lib/server/db/client";
import { commitsWaitForStandby, missingForCalls, missingForDesk } from "@/lib/server/db/system-queries";
import { errorForLog, logProcess, type Readiness } from "./log";

interface Answer {
  status: "ready" | "unready";
  /** How long the oldest message has been due. Does not affect `status`, because calls succeed while no mail is sent. */
  oldestMessageDueSeconds?: number;
  /** Acknowledged commits survive the loss of the database server. */
  commitsWaitForStandby?: true;
}

/** However many probes arrive, the database is queried at most once in this time. */
const cacheMs = 1000;
let cached: Promise<Answer> | undefined;
let logged = JSON.stringify({ ready: true });

/** Whether calls would succeed. Only the log says what is missing. After SIGTERM, server.mjs answers instead. */
export function readiness(): Promise<Answer> {
  cached ??= check().finally(() => setTimeout(() => (cached = undefined), cacheMs).unref());
  return cached;
}

async function check(): Promise<Answer> {
  const found = await withDeadline(process.env.RENT_PROCESS === "desk" ? missingForDesk : missingForCalls).then(
    (missing): Readiness => {
      const all = hasReadOnlyPool() ? [...missing, "a database that accepts writes"] : missing;
      return all.length > 0 ? { ready: false, missing: all } : { ready: true };
    },
    (error): Readiness => ({ ready: false, error: errorForLog(error) }),
  );
  // Only a change is logged, not every probe.
  if (JSON.stringify(found) !== logged) logProcess(found.ready ? "info" : "error", found);
  logged = JSON.stringify(found);
  if (!found.ready) return { status: "unready" };
  const waited = await withDeadline(() => oldestDueSeconds(prisma())).catch(() => 0);
  const waitsForStandby = await withDeadline(() => commitsWaitForStandby()).catch(() => false);
  return {
    status: "ready",
    ...(waited > 0 ? { oldestMessageDueSeconds: waited } : {}),
    ...(waitsForStandby ? { commitsWaitForStandby: true } : {}),
  };
}

/**
 * How long ago the oldest unsent message was first due; 0 if none is due. Normally that is a few seconds. Each attempt moves
 * `dueAt`, so `dueAt` alone would not show an outage.
 */
export async function oldestDueSeconds(db: Db): Promise<number> {
  // Raw: a search by an indexed expression, which every probe runs.
  const [row] = await db.$queryRaw<[{ seconds: number }]>`
    SELECT COALESCE(extract(epoch FROM now() - min(COALESCE("firstDueAt", "dueAt"))), 0)::float AS seconds FROM messages
    WHERE state IN ('waiting', 'sending') AND COALESCE("firstDueAt", "dueAt") <= now()`;
  return Math.round(row.seconds);
}
