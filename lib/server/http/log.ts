import { createHmac } from "node:crypto";
import { isNativeError } from "node:util/types";
import pino, { type Logger } from "pino";
import { database } from "@/lib/server/db/client";
import { codeOf, innermost, isPoolExhausted } from "@/lib/server/db/errors";
import { currentSettings } from "@/lib/server/settings";
import type { BuildInfo } from "./build-info";
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
  /** Set because a page shows 'Unauthorized Access' with status 200. */
  refused?: "link";
  /** A keyed hash of the address of a client that was refused (401, 429). */
  from?: string;
  fields?: string[];
  /** Does not include the error's message, which may quote personal data. */
  error?: { name: string; code?: string };
}

/** Whether calls would succeed. If not, the names of what is missing, or the error of the check. */
export interface Readiness extends Pick<CallLine, "error"> {
  ready: boolean;
  missing?: string[];
}

/** A line about the process, its database or a provider. */
type ProcessLine =
  | { start: BuildInfo & { database: string; user: string; listens: string; address: string } }
  | { database: "ready"; commitsWaitForStandby: boolean }
  | Readiness
  /** `since` is when the first attempt failed, and `reason` the error code of the last one: 'ECONNREFUSED'. */
  | { channel: string; provider: "unreachable" | "reachable"; reason?: string; since: string; minutes: number }
  | { problem: string; forwarded: number; trusted: number }
  /** A browser has blocked something under the Content-Security-Policy: an attack, an extension, or our own mistake. */
  | { policy: "violated"; directive: string }
  | { evidence: "failed"; error: CallLine["error"] }
  /** An action of the desk that failed for a reason that its person cannot read. */
  | { desk: "failed"; error: CallLine["error"] }
  /** A sign-in to the desk that failed: the provider did not answer, or its answer was refused. */
  | { signIn: "no answer" | "refused"; error: CallLine["error"] }
  /** A person whom the provider knows and the settings do not name. */
  | { signIn: "nobody" };

export function logProcess(level: "info" | "warn" | "error", line: ProcessLine): void {
  log()[level](line);
}

/**
 * Writes one JSON line per call, and per page that is opened with a token. The application's reference is the only sent or stored
 * value in it.
 */
export function logCall({ address, ...line }: Omit<CallLine, "from"> & { address: string }): void {
  const isRefused = line.refused || line.status === 401 || line.status === 429;
  const from = isRefused ? hashForLog(address) : undefined;
  log()[line.error ? "error" : "info"]({ ...line, from });
  const { call, status, milliseconds } = line;
  count(({ calls }) => calls.observe({ call, status }, milliseconds / 1000));
}

/** An attempt to send, or a failure of the sender itself. The line has a message's number but never its text. */
interface SenderLine extends Partial<Pick<CallLine, "reference" | "milliseconds" | "error">> {
  channel: string;
  message?: number;
  kind?: string;
  outcome?: string;
  /** The code of the reason why the message was not sent: '550 5.1.1'. */
  reason?: string;
}

export function logSender(line: SenderLine): void {
  log()[line.error ? "error" : "info"](line);
  const { channel, kind = "", outcome = "error" } = line;
  count(({ messages }) => messages.inc({ channel, kind, outcome }));
}

function log(): Logger {
  const timestamp = () => `,"time":"${new Date().toISOString()}"`;
  logger ??= pino({ level: currentSettings().LOG_LEVEL, base: undefined, timestamp });
  return logger;
}

/** Counts if METRICS_PORT is set. Otherwise the module, which slows the start, is not loaded. Commands cannot import() our modules. */
export function count(how: (counters: typeof Counters) => void): void {
  if (currentSettings().METRICS_PORT) how(require("./counters"));
}

/**
 * Replaces a client's address in the log, so that clients can be distinguished without revealing their addresses. The hash is
 * keyed, because unkeyed hashes of all IPv4 addresses can be computed in minutes. The key is the database's URL with its password:
 * all processes of a deployment share it across restarts, and readers of the logs do not have it.
 */
export function hashForLog(address: string): string {
  const key = `addresses in the log\n${database().url}`;
  return createHmac("sha256", key).update(networkOf(address)).digest("base64url").slice(0, 16);
}

/** The name and code of the innermost cause, because Prisma wraps the driver's errors. */
export function errorForLog(error: unknown): CallLine["error"] {
  if (!isNativeError(error)) return { name: typeof error };
  if (isPoolExhausted(error)) return { name: "PoolExhausted" };
  const { name } = innermost(error);
  // The driver names every error of Postgres 'error'.
  return { name: name === "error" ? "DatabaseError" : name, code: codeOf(error) };
}

export function millisecondsSince(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
