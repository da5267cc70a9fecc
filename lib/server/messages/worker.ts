import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { closeSenderPool, openSenderPool } from "@/lib/server/db/sender-pool";
import { logSender, millisecondsSince, nameOf } from "@/lib/server/http/log";
import { currentSettings } from "@/lib/server/settings";
import { type Channel, type Claimed, claim } from "./claim";
import { deliver } from "./deliver";
import { closeEmail, openEmail } from "./email/send-email";
import { awaySeconds, type Ending } from "./finish";
import { noteOutage, tellOutage } from "./outage";

const pollMs = 1000;
/** After a failure of the database. */
const failureMs = 5000;
/** Claimed together and sent side by side: each has to be over within the minute of its claim. */
const atOnce = 10;
const awayMs = awaySeconds * 1000;

interface Terms {
  isPooled: boolean;
  /** Milliseconds between one message and the next, so that a process that answers calls is never busy with several. */
  spacingMs: number;
}

/** Sends what is due on every channel that is set up, until `stop` is called: it resolves when the last attempt is over. */
export function startWorker(url: string, { isPooled, spacingMs }: Terms): { stop(): Promise<void> } {
  const { sending } = currentSettings();
  const ending = new AbortController();
  if (sending.email) openEmail();
  openSenderPool(url, isPooled);
  const channels = (["email", "sms", "webhook"] as const).filter((channel) => sending[channel]);
  // Each channel by itself: a provider that stalls holds up no other.
  const loops = channels.map((channel) => run(channel, spacingMs, ending.signal));
  return {
    async stop() {
      ending.abort();
      await Promise.all(loops);
      closeEmail();
      await closeSenderPool();
    },
  };
}

async function run(channel: Channel, spacingMs: number, signal: AbortSignal): Promise<void> {
  let most = atOnce;
  while (!signal.aborted) {
    const wait = await round(channel, most, spacingMs).catch((error) => {
      logSender({ channel, error: nameOf(error) });
      return failureMs;
    });
    // One message is enough to see whether the provider is back: each attempt writes rows.
    most = wait === awayMs ? 1 : atOnce;
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Sends one batch. Returns how long to wait before the next. */
async function round(channel: Channel, most: number, spacingMs: number): Promise<number> {
  await tellOutage(channel);
  const claimed = await claim(channel, most);
  const endings = await Promise.all(
    claimed.map(async (message, index) => {
      await sleep(index * spacingMs);
      return attempt(message);
    }),
  );
  if (endings.includes("failure")) return failureMs;
  if (endings.includes("away")) return awayMs;
  return claimed.length > 0 ? spacingMs : pollMs;
}

/** If the database fails meanwhile, the message is due again when its claim ends, and the others of its batch go on. */
export async function attempt(message: Claimed): Promise<Ending["state"] | "failure"> {
  const { channel, number, kind } = message;
  const line = { channel, message: Number(number), kind };
  const started = performance.now();
  try {
    const { ending, reference } = await deliver(message);
    noteOutage(channel, ending);
    const reason = ending.state === "sent" ? undefined : ending.error;
    logSender({ ...line, outcome: ending.state, reason, reference, milliseconds: millisecondsSince(started) });
    return ending.state;
  } catch (error) {
    logSender({ ...line, error: nameOf(error), milliseconds: millisecondsSince(started) });
    return "failure";
  }
}
