import "server-only";
import { isNativeError } from "node:util/types";
import pino, { type Logger } from "pino";
import { codeOf, innermost } from "@/lib/server/database/failure";
import { currentSettings } from "@/lib/server/env";

let logger: Logger | undefined;

export interface CallLine {
  call: string;
  status: number;
  milliseconds: number;
  requestId: string;
  reference?: string;
  /** Of an error only its name and code: messages quote values. */
  error?: { name: string; code?: string };
}

/** One JSON line for each call; nothing of what was sent or stored, but the application's reference. */
export function logCall(line: CallLine): void {
  logger ??= pino({ level: currentSettings().logLevel, base: undefined });
  logger[line.status >= 500 ? "error" : "info"](line);
}

/** The innermost cause names a failure best. */
export function nameOf(error: unknown): CallLine["error"] {
  if (!isNativeError(error)) return { name: typeof error };
  return { name: innermost(error).name, code: codeOf(error) };
}
