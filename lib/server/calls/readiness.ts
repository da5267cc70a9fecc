import "server-only";
import { inTime } from "@/lib/server/database/in-time";
import { lackingForCalls } from "@/lib/server/database/lacking-for-calls";
import { isEnding } from "./lame-duck";
import { logReadiness, nameOf, type Readiness } from "./log";

/** Any number of probes ask the database once in so long. */
const keptMs = 1000;
let asked: Promise<Readiness> | undefined;
let told = JSON.stringify({ ready: true });

/** Whether this process is to be sent calls, and they would succeed. What is lacking is told in the log alone. */
export async function readiness(): Promise<"ready" | "unready" | "ending"> {
  if (isEnding()) return "ending";
  asked ??= ask().finally(() => setTimeout(() => (asked = undefined), keptMs).unref());
  return (await asked).ready ? "ready" : "unready";
}

async function ask(): Promise<Readiness> {
  const found = await inTime(lackingForCalls).then(
    (lacking): Readiness => (lacking.length === 0 ? { ready: true } : { ready: false, lacking }),
    (error): Readiness => ({ ready: false, error: nameOf(error) }),
  );
  if (JSON.stringify(found) !== told) logReadiness(found);
  told = JSON.stringify(found);
  return found;
}
