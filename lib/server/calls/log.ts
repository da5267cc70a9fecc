import "server-only";
import { isNativeError } from "node:util/types";
import pino, { type Logger } from "pino";
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

/** What the driver said of a statement that failed: Prisma keeps it in `meta`, and its own code only says 'raw query'. */
function databaseCode(error: Error): unknown {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Record<string, unknown> } } };
  const cause = meta?.driverAdapterError?.cause;
  return cause?.originalCode ?? cause?.kind;
}

/** The innermost cause names the failure best: Prisma wraps what the driver said. */
export function nameOf(error: unknown): CallLine["error"] {
  if (!isNativeError(error)) return { name: typeof error };
  if (isNativeError(error.cause)) return nameOf(error.cause);
  const code = databaseCode(error) ?? (error as { code?: unknown }).code;
  return { name: error.name, code: typeof code === "string" ? code : undefined };
}
