import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { dayIn, startOfDay } from "@/lib/domain/zone-time";
import { close, createDatabase, type Db, isDatabasePooled } from "@/lib/server/db/client";
import { keepLog } from "@/lib/server/evidence/append";
import { count, logEvidence, logSender, millisecondsSince, nameOf } from "@/lib/server/http/log";
import { currentSettings } from "@/lib/server/settings";
import type { MessageChannel, PrismaClient } from "@/prisma/generated/client";
import { readMailbox } from "./bounces/read-mailbox";
import { type Claimed, claim, transactionMs } from "./claim";
import { deliver } from "./deliver";
import { closeEmail, openEmail } from "./email/send-email";
import { noteOutage, reportOutage } from "./outage";
import { enqueueOnceOn } from "./outbox/enqueue";
import { kinds } from "./outbox/kinds";
import { awaySeconds, isProviderAway, type Outcome } from "./outcome";

const pollMs = 1000;
const mailboxMs = 30_000;
const figuresMs = 60_000;
/** After a failure of the database. */
const failureMs = 5000;
/** Claimed together and sent side by side: each has to be over within the minute of its claim. */
const atOnce = 10;
const awayMs = awaySeconds * 1000;

interface Terms {
  /** Milliseconds between one message and the next, so that a process that answers calls is never busy with several. */
  spacingMs: number;
}

/** Sends what is due on every channel that is set up, and keeps the evidence log, until `stop` is called: it resolves when the last attempt is over. */
export function startWorker(url: string, { spacingMs }: Terms): { stop(): Promise<void> } {
  const { sending, BOUNCES_IMAP_URL, FIGURES_EMAIL } = currentSettings();
  const ending = new AbortController();
  if (sending.email) openEmail();
  countFromZero();
  // Connections of its own, so that calls never wait for messages, nor messages for calls.
  const database = createDatabase({ url, max: 2, timeoutMs: transactionMs, isPooled: isDatabasePooled() });
  const channels = (["email", "sms", "webhook"] as const).filter((channel) => sending[channel]);
  // Each channel by itself: a provider that stalls holds up no other.
  const loops = channels.map((channel) => run(database.prisma, channel, spacingMs, ending.signal));
  loops.push(keepLog(database.prisma, ending.signal, logEvidence));
  if (BOUNCES_IMAP_URL)
    loops.push(repeat("delivery report", mailboxMs, ending.signal, () => readMailbox(BOUNCES_IMAP_URL)));
  if (FIGURES_EMAIL)
    loops.push(repeat("weekly-figures", figuresMs, ending.signal, () => enqueueWeeklyFigures(database.prisma)));
  const end = async () => {
    ending.abort();
    await Promise.all(loops);
    closeEmail();
    await close(database);
  };
  let ended: Promise<void> | undefined;
  return {
    // Two signals may come.
    stop() {
      ended ??= end();
      return ended;
    },
  };
}

/** Prometheus sees no increase in a series that begins at 1: the first message that fails would set off no alert. */
function countFromZero(): void {
  const outcomes: Outcome["state"][] = ["failed", "unknown"];
  count(({ messages }) => {
    for (const [kind, { channels }] of Object.entries(kinds))
      for (const channel of channels) for (const outcome of outcomes) messages.inc({ channel, kind, outcome }, 0);
  });
}

async function run(db: PrismaClient, channel: MessageChannel, spacingMs: number, signal: AbortSignal): Promise<void> {
  let most = atOnce;
  while (!signal.aborted) {
    const wait = await round(db, channel, most, spacingMs).catch((error) => {
      logSender({ channel, error: nameOf(error) });
      return failureMs;
    });
    // One message is enough to see whether the provider is back: each attempt writes rows.
    most = wait === awayMs ? 1 : atOnce;
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** After a failure it waits as long as else. */
async function repeat(kind: string, pauseMs: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work().catch((error) => logSender({ channel: "email", kind, error: nameOf(error) }));
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Sends one batch. Returns how long to wait before the next. */
async function round(db: PrismaClient, channel: MessageChannel, most: number, spacingMs: number): Promise<number> {
  await reportOutage(db, channel);
  const claimed = await claim(db, channel, most);
  const outcomes = await Promise.all(
    claimed.map(async (message, index) => {
      await sleep(index * spacingMs);
      return attempt(db, message);
    }),
  );
  if (outcomes.includes("failure")) return failureMs;
  if (outcomes.some((outcome) => outcome !== "failure" && isProviderAway(outcome))) return awayMs;
  return claimed.length > 0 ? spacingMs : pollMs;
}

/** If the database fails meanwhile, the message is due again when its claim ends, and the others of its batch go on. */
export async function attempt(db: PrismaClient, message: Claimed): Promise<Outcome | "failure"> {
  const { channel, number, kind } = message;
  const line = { channel, message: Number(number), kind };
  const started = performance.now();
  try {
    const { outcome, reference, isGivenUp } = await deliver(db, message);
    noteOutage(channel, outcome);
    const state = isGivenUp ? "failed" : outcome.state;
    const reason = outcome.state === "sent" ? undefined : outcome.error;
    logSender({ ...line, outcome: state, reason, reference, milliseconds: millisecondsSince(started) });
    return outcome;
  } catch (error) {
    logSender({ ...line, error: nameOf(error), milliseconds: millisecondsSince(started) });
    return "failure";
  }
}

const monday = 1;
const sevenHoursMs = 7 * 3_600_000;

/** Once on a Monday, at seven or as soon as a worker runs on that day. */
export async function enqueueWeeklyFigures(db: Db, now = new Date()): Promise<void> {
  const { FIGURES_EMAIL, brand } = currentSettings();
  const day = dayIn(now, brand);
  if (!FIGURES_EMAIL || new Date(day).getUTCDay() !== monday) return;
  if (now.getTime() < startOfDay(day, brand).getTime() + sevenHoursMs) return;
  await enqueueOnceOn(day, db, "weekly-figures", FIGURES_EMAIL);
}
