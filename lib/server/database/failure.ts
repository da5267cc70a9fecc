import "server-only";
import { isNativeError } from "node:util/types";

/** Errors of the driver (SQLSTATE or a system code) and of Prisma, whatever bundle their classes come from. */
const names = /^(PrismaClient\w*Error|DriverAdapterError|DatabaseError)$/;
const systemCodes = /^(E[A-Z]+|[0-9A-Z]{5})$/;
/** SQLSTATE classes data exception, constraint violation, and syntax error or access rule. */
const faultCodes = /^(22|23|42)...$/;

/** Whether an error comes from the database or the way to it. */
export function isDatabaseFailure(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (names.test(error.name) || (typeof code === "string" && systemCodes.test(code))) return true;
  // node-postgres gives its own time-outs no code.
  return /timeout|terminated/i.test(error.message);
}

/** Whether the same call may succeed in a moment (503). A statement that Postgres or Prisma refuses is our own fault (500). */
export function isDatabaseAway(error: unknown): boolean {
  if (!isNativeError(error) || !isDatabaseFailure(error)) return false;
  if (error.name === "PrismaClientValidationError") return false;
  return !faultCodes.test(codeOf(error) ?? "");
}

/** Prisma wraps what the driver said. */
export function innermost(error: Error): Error {
  return isNativeError(error.cause) ? innermost(error.cause) : error;
}

/** The driver's code where there is one: Prisma keeps it in `meta`, and its own code only says 'raw query'. */
export function codeOf(error: Error): string | undefined {
  const { code, meta } = innermost(error) as Wrapped;
  const cause = meta?.driverAdapterError?.cause;
  const found = cause?.originalCode ?? cause?.kind ?? code;
  return typeof found === "string" ? found : undefined;
}

type Wrapped = Error & { code?: unknown; meta?: { driverAdapterError?: { cause?: Record<string, unknown> } } };
