import "server-only";
import { commitsWaitForStandby, missingForCalls } from "@/lib/server/db/catalogue";
import { prisma, withDeadline } from "@/lib/server/db/client";
import { oldestDueSeconds } from "@/lib/server/db/statements";
import { logReadiness, nameOf, type Readiness } from "./log";

interface Answer {
  status: "ready" | "unready";
  /** How long the oldest message has been due. It makes nothing unready: calls go on while no mail goes out. */
  oldestMessageDueSeconds?: number;
  /** What was acknowledged survives the loss of the database server. */
  commitsWaitForStandby?: true;
}

/** Any number of probes query the database once in so long. */
const keptMs = 1000;
let kept: Promise<Answer> | undefined;
let logged = JSON.stringify({ ready: true });

/** Whether calls would succeed. What they lack is in the log alone. After SIGTERM server.mjs answers instead. */
export function readiness(): Promise<Answer> {
  kept ??= check().finally(() => setTimeout(() => (kept = undefined), keptMs).unref());
  return kept;
}

async function check(): Promise<Answer> {
  const found = await withDeadline(missingForCalls).then(
    (missing): Readiness => (missing.length > 0 ? { ready: false, missing } : { ready: true }),
    (error): Readiness => ({ ready: false, error: nameOf(error) }),
  );
  if (JSON.stringify(found) !== logged) logReadiness(found);
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
