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
  /** Without the message, which may quote personal values. */
  error?: { name: string; code?: string };
}

/** Writes one JSON line per call. Of all that was sent or stored it holds only the application's reference. */
export function logCall(line: CallLine): void {
  logger ??= pino({ level: currentSettings().logLevel, base: undefined });
  logger[line.status >= 500 ? "error" : "info"](line);
}

/** Of the innermost cause, since Prisma wraps the driver's errors. */
export function nameOf(error: unknown): CallLine["error"] {
  if (!isNativeError(error)) return { name: typeof error };
  return { name: innermost(error).name, code: codeOf(error) };
}
