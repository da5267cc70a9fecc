import "server-only";
import { createHmac } from "node:crypto";
import { isNativeError } from "node:util/types";
import pino, { type Logger } from "pino";
import { codeOf, innermost, isPoolExhausted } from "@/lib/server/db/errors";
import { currentSettings } from "@/lib/server/settings";
import { networkOf } from "./client-address";
import type * as Counters from "./counters";

let logger: Logger | undefined;

export interface CallLine {
  /** The call's name; 'page' for a link that a page has verified. */
  call: string;
  status: number;
  milliseconds: number;
  requestId?: string;
  reference?: string;
  /** A page shows 'Unauthorized Access' with 200. */
  refused?: "link";
  /** Who was refused (401, 429): a keyed hash of the address. */
  from?: string;
  /** The names of the answers that were refused (422). */
  fields?: string[];
  /** Without the message, which may quote personal values. */
  error?: { name: string; code?: string };
}

/** What runs, on which database, as whom, and where. */
export interface StartLine {
  version: string;
  database: string;
  user: string;
  listens: string;
  address: string;
}

/** The first line of a process. */
export function logStart(start: StartLine): void {
  log().info({ start });
}

/** Once the database answers: whether a commit is acknowledged only once a standby has it. */
export function logDatabase(commitsWaitForStandby: boolean): void {
  log().info({ database: "ready", commitsWaitForStandby });
}

/** Writes one JSON line per call or page. Of all that was sent or stored it holds only the application's reference. */
export function logCall({ address, ...line }: Omit<CallLine, "from"> & { address: string }): void {
  const isRefused = line.refused || line.status === 401 || line.status === 429;
  const from = isRefused ? hashForLog(address) : undefined;
  log()[line.error ? "error" : "info"]({ ...line, from });
  const { call, status, milliseconds } = line;
  count(({ calls }) => calls.observe({ call, status }, milliseconds / 1000));
}

/** What a call does once it is answered, and could not. */
export function logLateFailure(call: string, error: unknown): void {
  log().error({ call, late: true, error: nameOf(error) });
}

/** An attempt to send, or a failure of the sender itself. It identifies a message by its number, and never quotes it. */
interface SenderLine {
  channel: string;
  message?: number;
  kind?: string;
  outcome?: string;
  /** Why it was not sent, by a code: '550 5.1.1'. */
  reason?: string;
  reference?: string;
  milliseconds?: number;
  error?: CallLine["error"];
}

export function logSender(line: SenderLine): void {
  log()[line.error ? "error" : "info"](line);
  const { channel, kind = "", outcome = "error" } = line;
  count(({ messages }) => messages.inc({ channel, kind, outcome }));
}

/** A provider that has been away for a while, or is back. */
interface ProviderLine {
  channel: string;
  provider: "unreachable" | "reachable";
  /** Of the last attempt, by a code: 'ECONNREFUSED'. */
  reason?: string;
  /** The first attempt that failed. */
  since: string;
  minutes: number;
}

export function logProvider(line: ProviderLine): void {
  log()[line.provider === "reachable" ? "info" : "warn"](line);
}

/** Whether calls would succeed: what they lack by name, or what failed. */
export interface Readiness {
  ready: boolean;
  missing?: string[];
  error?: CallLine["error"];
}

/** Written when it changes, not at each probe. */
export function logReadiness(line: Readiness): void {
  log()[line.ready ? "info" : "error"](line);
}

/** A browser has blocked something by the Content-Security-Policy: an attack, an extension, or a mistake of ours. */
export function logPolicyReport(directive: string): void {
  log().warn({ policy: "violated", directive });
}

/** The evidence log could not be appended to, or grows unsigned (UnknownEvidenceKey). */
export function logEvidence(error: unknown): void {
  log().error({ evidence: "failed", error: nameOf(error) });
}

function log(): Logger {
  const timestamp = () => `,"time":"${new Date().toISOString()}"`;
  logger ??= pino({ level: currentSettings().LOG_LEVEL, base: undefined, timestamp });
  return logger;
}

/** Counts where there are metrics. Loaded only there: it would make every start slower. The commands' loader has no import(). */
export function count(how: (counters: typeof Counters) => void): void {
  if (currentSettings().METRICS_PORT) how(require("./counters"));
}

/**
 * Stands for an address in the log, so that refusals of one client can be distinguished from those of another without its
 * address. Keyed, since all IPv4 addresses are hashed in minutes; with the database's URL and its password, since every
 * process of a deployment has it, through every restart, and who reads the logs has not.
 */
export function hashForLog(address: string): string {
  const key = `addresses in the log\n${process.env.DATABASE_URL ?? ""}`;
  return createHmac("sha256", key).update(networkOf(address)).digest("base64url").slice(0, 16);
}

/** Of the innermost cause, since Prisma wraps the driver's errors. */
export function nameOf(error: unknown): CallLine["error"] {
  if (!isNativeError(error)) return { name: typeof error };
  if (isPoolExhausted(error)) return { name: "PoolExhausted" };
  return { name: innermost(error).name, code: codeOf(error) };
}

/** Milliseconds since then, to a tenth. */
export function millisecondsSince(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
