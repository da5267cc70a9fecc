import { isNativeError } from "node:util/types";
import { addressOf } from "@/lib/server/database-url";

/** Errors of Prisma and the driver are recognised by name or code, not by instanceof: each bundle may have its own classes. */
const names = /^(PrismaClient\w*Error|DriverAdapterError|DatabaseError|DatabaseTimeout)$/;
/** Node's system codes and SQLSTATE. */
const systemCodes = /^(E[A-Z]+|[0-9A-Z]{5})$/;
/** The codes with which OpenSSL and Node reject a certificate. */
const certificateCodes = /CERT|LEAF_SIGNATURE|^ERR_(TLS|SSL|OSSL)_/;
/** The errors that node-postgres raises itself, without a code. Other errors may mention a timeout further on. */
const driverMessages =
  /^(timeout ex(ceeded|pired)|Connection terminated|Query read timeout|Client (has|was) .*not queryable|The server does not support SSL)/;
/**
 * SQLSTATE classes 22 data exception, 23 constraint violation, 42 syntax error or access rule violation, P0 refusal by a trigger;
 * Prisma's P2025.
 */
const faultCodes = /^((22|23|42|P0)...|P2025)$/;
/** undefined_table and insufficient_privilege: a retry succeeds once somebody has restored the table or the privilege. */
const missingCodes = /^(42P01|42501)$/;

export function isDatabaseFailure(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  if (names.test(error.name)) return true;
  const { code, path } = error as NodeJS.ErrnoException;
  // Only the error of a file has a path. The error of a Unix socket has an address.
  if (path !== undefined) return false;
  if (typeof code === "string" && (systemCodes.test(code) || certificateCodes.test(code))) return true;
  return driverMessages.test(error.message);
}

/**
 * Whether a retry may succeed (503). It may after P2028, when a transaction got no connection or took too long. P2039 is any
 * other error of the database and is judged by its SQLSTATE. A statement that Postgres or Prisma refuses is our own fault (500).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!isNativeError(error) || !isDatabaseFailure(error)) return false;
  if (error.name === "PrismaClientValidationError") return false;
  const code = codeOf(error) ?? "";
  return !faultCodes.test(code) || missingCodes.test(code);
}

/** All connections of the pool were busy for as long as a call may wait. pg's pool gives this error no code. */
export function isPoolExhausted(error: Error): boolean {
  const { message } = innermost(error);
  return message === "timeout exceeded when trying to connect" || /Unable to start a transaction/.test(message);
}

/** Prisma wraps the driver's error as `cause`. */
export function innermost(error: Error): Error {
  return isNativeError(error.cause) ? innermost(error.cause) : error;
}

type Wrapped = Error & { code?: unknown; meta?: { driverAdapterError?: { cause?: Record<string, unknown> } } };

/** The driver's code. Prisma keeps it in `meta`; its own code (P2010) only says that a raw query failed. */
export function codeOf(error: Error): string | undefined {
  const { code, meta } = innermost(error) as Wrapped;
  const cause = meta?.driverAdapterError?.cause;
  const found = cause?.originalCode ?? cause?.kind ?? code;
  return typeof found === "string" ? found : undefined;
}

/** A call exceeded its time limit: it waited for a connection, or its statements took too long. */
export class DatabaseTimeout extends Error {
  override name = "DatabaseTimeout";
}

/** The database cannot be used, and waiting will not help. The message states the cause in a sentence. */
export class DatabaseUnusable extends Error {
  override name = "DatabaseUnusable";
}

/** The database may answer soon. The message states why it does not answer yet. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** SQLSTATE protocol_violation, which PgBouncer uses for everything that it refuses. */
const pooler = "08P01";

/** Converts an error to one that says in a sentence, without the password, why the database cannot be used. */
export function explain(error: Error, url: string): Error {
  if (error instanceof DatabaseUnusable || error instanceof DatabaseUnavailable) return error;
  const { database, user } = addressOf(url);
  const final = whyUnusable(error, database, user);
  if (final) return new DatabaseUnusable(final, { cause: error });
  if (!isDatabaseFailure(error)) return error;
  const code = codeOf(error) ?? "";
  const reason = temporary[code] ?? plain(error.message || code);
  return new DatabaseUnavailable(`The database ${database} does not answer yet: ${reason}.`, { cause: error });
}

/** The cause, if waiting will not help; undefined if it may. */
function whyUnusable(error: Error, database: string, user: string): string | undefined {
  const { message } = error;
  const code = codeOf(error) ?? "";
  const sentence = message.replace(/\.?$/, ".");
  if (code === "28P01") return `The database ${database} rejects the password of the user ${user}.`;
  if (/client password must be a string/.test(message))
    return `The database ${database} asks the user ${user} for a password, but the URL has none.`;
  if (code.startsWith("28")) return `The database ${database} rejects the user ${user}: ${sentence}`;
  if (code === "3D000" || (code === pooler && /no such database/.test(message)))
    return `There is no database ${database}: create it, then run 'npm run migrate'.`;
  if (code === pooler && /no such user|unsupported|not allowed/.test(message))
    return `The pooler of ${database} refuses the connection of the user ${user}: ${sentence}`;
  if (code === "42501") return `The user ${user} lacks a privilege in the database ${database}: ${sentence}`;
  if (/_ALERT_.*(CA|CERTIFICATE)/.test(code))
    return `The database ${database} rejects the certificate of the user ${user} (${/alert [a-z ]+/.exec(message)?.[0]}): sslcert in the URL names its file.`;
  if (code === "CERT_HAS_EXPIRED") return `The certificate of the database ${database} has expired: renew it.`;
  if (certificateCodes.test(code))
    return `The certificate of the database ${database} is not trusted (${message}): name the certificate authority's file with sslrootcert in the URL.`;
  if (/not support SSL/.test(message))
    return `The database ${database} does not support encryption, but sslmode in its URL requires it.`;
}

/** Plain words for the driver's messages that have no code. */
const plain = (message: string) =>
  /timeout/i.test(message) ? "it takes too long" : /terminated/.test(message) ? "it closes the connection" : message;

const temporary: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the host name is unknown",
  EAI_AGAIN: "the host's name cannot be looked up",
};

/** SQLSTATE deadlock_detected. */
export const isDeadlock = (error: unknown) => isNativeError(error) && codeOf(error) === "40P01";

/** Repeats the work once after a deadlock, in which Postgres rolls one of the transactions back completely. */
export function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error) => {
    if (!isDeadlock(error)) throw error;
    return work();
  });
}

/** SQLSTATE read_only_sql_transaction: after a failover, the old primary accepts connections as a standby. */
export const readOnly = "25006";

/**
 * Whether an error is that of the server behind the connection, not of the statement: it is read-only, shuts down, cannot read or
 * write its disk, or has no memory.
 */
export const isNodeFailure = (code: string) => code === readOnly || /^(53[12]00|57P0[1-4]|58...|XX00[12])$/.test(code);

/** SQLSTATE query_canceled: a statement exceeded its time limit. */
export const isStatementTimeout = (error: unknown) => isNativeError(error) && codeOf(error) === "57014";

/** SQLSTATE lock_not_available: a statement waited for a lock for longer than lock_timeout. */
export const isLockTimeout = (error: unknown) => isNativeError(error) && codeOf(error) === "55P03";
