import "server-only";
import { missingForCalls } from "@/lib/server/db/catalogue";
import { prisma, withDeadline } from "@/lib/server/db/client";
import { oldestDueSeconds } from "@/lib/server/db/statements";
import { isEnding } from "./lame-duck";
import { logReadiness, nameOf, type Readiness } from "./log";

/** Any number of probes ask the database once in so long. */
const keptMs = 1000;
let asked: Promise<Found> | undefined;
let told = JSON.stringify({ ready: true });

interface Found {
  status: "ready" | "unready" | "ending";
  /** Where a message waits longer than it should. It makes nothing unready: calls go on while no mail goes out. */
  oldestMessageDueSeconds?: number;
}

/** Whether this process is to be sent calls, and they would succeed. What is lacking is told in the log alone. */
export async function readiness(): Promise<Found> {
  if (isEnding()) return { status: "ending" };
  asked ??= ask().finally(() => setTimeout(() => (asked = undefined), keptMs).unref());
  return asked;
}

async function ask(): Promise<Found> {
  let waited = 0;
  const look = async (): Promise<Readiness> => {
    const lacking = await missingForCalls();
    if (lacking.length > 0) return { ready: false, lacking };
    waited = await oldestDueSeconds(prisma());
    return { ready: true };
  };
  const found = await withDeadline(look).catch((error): Readiness => ({ ready: false, error: nameOf(error) }));
  if (JSON.stringify(found) !== told) logReadiness(found);
  told = JSON.stringify(found);
  const late = waited > 0 ? { oldestMessageDueSeconds: waited } : {};
  return { status: found.ready ? "ready" : "unready", ...late };
}
