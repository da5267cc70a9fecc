import { setTimeout as sleep } from "node:timers/promises";
import { dayIn, startOfDay } from "@/lib/domain/zone-time";
import { readMailbox } from "@/lib/server/channels/bounces/read-mailbox";
import { closeEmail, openEmail } from "@/lib/server/channels/email/send-email";
import { maxConnections } from "@/lib/server/channels/email/transport";
import { close, createDatabase, isDatabasePooled } from "@/lib/server/db/client";
import { runEvidenceLog } from "@/lib/server/evidence/append";
import { count, errorForLog, logProcess, logSender, millisecondsSince } from "@/lib/server/http/log";
import { enqueueOnceOn } from "@/lib/server/outbox/enqueue";
import { messageKinds } from "@/lib/server/outbox/message-kinds";
import { isProviderUnavailable, type Outcome } from "@/lib/server/outbox/outcome";
import { failureMs, repeatUntilAborted } from "@/lib/server/repeat-until-aborted";
import { currentSettings } from "@/lib/server/settings";
import type { MessageChannel, PrismaClient } from "@/prisma/generated/client";
import { type Claimed, claim, transactionMs } from "./claim";
import { deliver } from "./deliver";
import { answerFreshLinkRequests } from "./fresh-link";
import { isPaused, outagePauseMs, reportOutage, trackOutage } from "./outage";

const pollMs = 1000;
const mailboxMs = 30_000;
const figuresMs = 60_000;
/**
 * Messages that are claimed together and sent concurrently. Each attempt has to end within the minute of its claim. Emails in
 * progress when a worker is killed may be sent twice, so a batch has no more emails than there are connections.
 */
const maxBatch = { email: maxConnections, sms: 10, webhook: 10 };

/**
 * The worker's own connections, so that calls and messages never wait for each other. While a transaction holds the locks of
 * messages, no other worker can send, so a worker that freezes loses them soon.
 */
export const workerDatabase = (url: string) =>
  createDatabase({ url, max: 2, timeoutMs: transactionMs, idleMs: 10_000, isPooled: isDatabasePooled() });

/**
 * Sends due messages on every configured channel, answers requests for fresh links, appends to the evidence log and, if the
 * settings name them, reads the mailbox of delivery reports and enqueues the weekly figures. `stop` resolves after the last
 * attempt. `spacingMs` passes between the starts of two messages of a channel, so that preparing them leaves time for calls.
 */
export function startWorker(url: string, { spacingMs }: { spacingMs: number }) {
  const { sending, BOUNCES_IMAP_URL, FIGURES_EMAIL } = currentSettings();
  const ending = new AbortController();
  if (sending.email) openEmail();
  countFromZero();
  const database = workerDatabase(url);
  const channels = (["email", "sms", "webhook"] as const).filter((channel) => sending[channel]);
  // Each channel has its own loop, so that a provider that stalls delays no other channel.
  const loops = channels.map((channel) =>
    repeatUntilAborted(pollMs, ending.signal, reportFailure({ channel }), () =>
      round(database.prisma, channel, spacingMs),
    ),
  );
  loops.push(runEvidenceLog(database.prisma, ending.signal, reportEvidence));
  const every = (pauseMs: number, kind: string, work: () => Promise<void>) =>
    loops.push(repeatUntilAborted(pauseMs, ending.signal, reportFailure({ channel: "email", kind }), work));
  every(pollMs, "fresh-link", () => answerFreshLinkRequests(database.prisma, ending.signal));
  if (BOUNCES_IMAP_URL) every(mailboxMs, "delivery report", () => readMailbox(BOUNCES_IMAP_URL));
  if (FIGURES_EMAIL) every(figuresMs, "weekly-figures", () => enqueueWeeklyFigures(database.prisma));
  const end = async () => {
    ending.abort();
    await Promise.all(loops);
    closeEmail();
    await close(database);
  };
  let ended: Promise<void> | undefined;
  return {
    // The process may receive two signals, and both wait for the same shutdown.
    stop: () => (ended ??= end()),
  };
}

/** Prometheus sees no increase in a series that begins at 1, so the first failed message would not raise an alert. */
function countFromZero(): void {
  const outcomes: Outcome["state"][] = ["failed", "unknown"];
  count(({ messages }) => {
    for (const [kind, { channels }] of Object.entries(messageKinds))
      for (const channel of channels) for (const outcome of outcomes) messages.inc({ channel, kind, outcome }, 0);
  });
}

/** The evidence log could not be appended to, or grows unsigned (UnknownEvidenceKey). */
function reportEvidence(error: unknown): void {
  logProcess("error", { evidence: "failed", error: errorForLog(error) });
  count(({ evidenceFailures }) => evidenceFailures.inc());
}

const reportFailure = (line: { channel: MessageChannel; kind?: string }) => (error: unknown) =>
  logSender({ ...line, error: errorForLog(error) });

/** Sends one batch. Returns how long to wait before the next. */
async function round(db: PrismaClient, channel: MessageChannel, spacingMs: number): Promise<number> {
  await reportOutage(db, channel);
  // One message is enough to find out whether the provider is back. Each webhook has its own schedule instead.
  const limit = channel !== "webhook" && isPaused(channel) ? 1 : maxBatch[channel];
  const claimed = await claim(db, channel, limit);
  const outcomes = await Promise.all(
    claimed.map(async (message, index) => {
      await sleep(index * spacingMs);
      return attempt(db, message);
    }),
  );
  const known = outcomes.filter((outcome) => outcome !== "failure");
  trackOutage(channel, known);
  if (outcomes.includes("failure")) return failureMs;
  const isUnknown = known.some(({ state }) => state === "unknown");
  if (known.some(isProviderUnavailable) || (isUnknown && isPaused(channel))) return outagePauseMs(channel);
  return claimed.length > 0 ? spacingMs : pollMs;
}

/** If the database fails, the message is due again when its claim ends, and the rest of the batch continues. */
export async function attempt(db: PrismaClient, message: Claimed): Promise<Outcome | "failure"> {
  const { channel, number, kind } = message;
  const line = { channel, message: Number(number), kind };
  const started = performance.now();
  try {
    const { outcome, reference, isGivenUp } = await deliver(db, message);
    const state = isGivenUp ? "failed" : outcome.state;
    const reason = outcome.state === "sent" ? undefined : outcome.error;
    logSender({ ...line, outcome: state, reason, reference, milliseconds: millisecondsSince(started) });
    return outcome;
  } catch (error) {
    logSender({ ...line, error: errorForLog(error), milliseconds: millisecondsSince(started) });
    return "failure";
  }
}

const monday = 1;
const sevenHoursMs = 7 * 3_600_000;

/** Enqueues the figures once each Monday, at seven or when a worker first runs after that on the same day. */
export async function enqueueWeeklyFigures(db: PrismaClient, now = new Date()): Promise<void> {
  const { FIGURES_EMAIL, brand } = currentSettings();
  const day = dayIn(now, brand);
  if (!FIGURES_EMAIL || new Date(day).getUTCDay() !== monday) return;
  if (now.getTime() < startOfDay(day, brand).getTime() + sevenHoursMs) return;
  await enqueueOnceOn(day, db, "weekly-figures", FIGURES_EMAIL);
}
