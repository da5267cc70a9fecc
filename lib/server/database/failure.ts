import "server-only";
import { isNativeError } from "node:util/types";

/** Errors of the driver (SQLSTATE or a system code) and of Prisma, whatever bundle their classes come from. */
const names = /^(PrismaClient\w*Error|DriverAdapterError|DatabaseError)$/;
const systemCodes = /^(E[A-Z]+|[0-9A-Z]{5})$/;

/** Whether an error comes from the database or the way to it: every such failure is answered 503. */
export function isDatabaseFailure(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { code } = error as { code?: unknown };
  if (names.test(error.name) || (typeof code === "string" && systemCodes.test(code))) return true;
  // node-postgres gives its own time-outs no code.
  return /timeout|terminated/i.test(error.message);
}
