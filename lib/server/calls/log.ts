import "server-only";
import { isNativeError } from "node:util/types";
import pino, { type Logger } from "pino";
import { codeOf, innermost } from "@/lib/server/database/failure";
import { currentSettings } from "@/lib/server/env";
import { hashForLog } from "./log-hash";

let logger: Logger | undefined;

export interface CallLine {
  call: string;
  status: number;
  milliseconds: number;
  requestId: string;
  reference?: string;
  /** Who was refused (401, 429): a keyed hash of the address. */
  from?: string;
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
  logger ??= open();
  logger.info({ start });
}

/** Writes one JSON line per call. Of all that was sent or stored it holds only the application's reference. */
export function logCall(line: CallLine): void {
  logger ??= open();
  logger[line.status >= 500 ? "error" : "info"](line);
}

/** Whether calls would succeed: what is missing by name, or what failed. */
export interface Readiness {
  ready: boolean;
  missing?: string[];
  error?: CallLine["error"];
}

/** Written when it changes, not at each probe. */
export function logReadiness(line: Readiness): void {
  logger ??= open();
  logger[line.ready ? "info" : "error"](line);
}

/** One line for each link that a page refused; it shows 'Unauthorized Access' (200), or too many were wrong (429). */
export function logRefusedPage(address: string, limited: boolean): void {
  logger ??= open();
  logger.info({ call: "page", status: limited ? 429 : 200, refused: "link", from: hashForLog(address) });
}

function open(): Logger {
  return pino({ level: currentSettings().logLevel, base: undefined });
}

/** Of the innermost cause, since Prisma wraps the driver's errors. */
export function nameOf(error: unknown): CallLine["error"] {
  if (!isNativeError(error)) return { name: typeof error };
  return { name: innermost(error).name, code: codeOf(error) };
}
