import "server-only";
import { isNativeError } from "node:util/types";

/** By name and code (SQLSTATE or a system code), not instanceof: each bundle may have its own copy of the classes. */
const names = /^(PrismaClient\w*Error|DriverAdapterError|DatabaseError)$/;
const systemCodes = /^(E[A-Z]+|[0-9A-Z]{5})$/;
/** What OpenSSL and Node call a certificate that they do not accept. */
const certificateCodes = /CERT|LEAF_SIGNATURE|^ERR_(TLS|SSL|OSSL)_/;
/** SQLSTATE classes 22 data exception, 23 constraint violation, 42 syntax error or access rule violation. */
const faultCodes = /^(22|23|42)...$/;
/** undefined_table and insufficient_privilege: somebody has to put a table or a right back, and then a retry succeeds. */
const missingCodes = /^(42P01|42501)$/;

/** Whether an error comes from the database or from the connection to it. */
export function isDatabaseFailure(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (names.test(error.name)) return true;
  if (typeof code === "string" && (systemCodes.test(code) || isCertificateCode(code))) return true;
  // node-postgres gives errors of its own no code.
  return /timeout|terminated|not queryable|not support SSL/i.test(error.message);
}

export function isCertificateCode(code: string): boolean {
  return certificateCodes.test(code);
}

/** Whether a retry may succeed (503). A statement that Postgres or Prisma refuses is our own fault (500). */
export function isDatabaseAway(error: unknown): boolean {
  if (!isNativeError(error) || !isDatabaseFailure(error)) return false;
  if (error.name === "PrismaClientValidationError") return false;
  const code = codeOf(error) ?? "";
  return !faultCodes.test(code) || missingCodes.test(code);
}

/** All connections of the pool were busy for as long as a call may wait. pg's pool gives this error no code. */
export function isPoolExhausted(error: Error): boolean {
  return innermost(error).message === "timeout exceeded when trying to connect";
}

/** Prisma wraps the driver's error as `cause`. */
export function innermost(error: Error): Error {
  return isNativeError(error.cause) ? innermost(error.cause) : error;
}

/** The driver's code. Prisma keeps it in `meta`; its own code (P2010) only says that a raw query failed. */
export function codeOf(error: Error): string | undefined {
  const { code, meta } = innermost(error) as Wrapped;
  const cause = meta?.driverAdapterError?.cause;
  const found = cause?.originalCode ?? cause?.kind ?? code;
  return typeof found === "string" ? found : undefined;
}

type Wrapped = Error & { code?: unknown; meta?: { driverAdapterError?: { cause?: Record<string, unknown> } } };
