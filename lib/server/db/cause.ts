import "server-only";
import { placeOf } from "./database-url";
import { codeOf, isCertificateCode, isDatabaseFailure } from "./failure";

/** A database that waiting does not mend. Its message is the cause, in a sentence. */
export class Unusable extends Error {
  override name = "Unusable";
}

/** A database that may answer in a moment. Its message is why it does not yet. */
export class Away extends Error {
  override name = "Away";
}

/** What PgBouncer says for all of them: SQLSTATE protocol_violation. */
const pooler = "08P01";

/** Why a database could not be met, as one sentence without the password. */
export function whyUnreachable(error: Error, url: string): Error {
  if (error instanceof Unusable || error instanceof Away) return error;
  const place = placeOf(url);
  const final = whyUnusable(error, place);
  if (final) return new Unusable(final, { cause: error });
  if (!isDatabaseFailure(error)) return error;
  const code = codeOf(error) ?? "";
  const reason = temporary[code] ?? plain(error.message || code);
  return new Away(`The database ${place.database} does not answer yet: ${reason}.`, { cause: error });
}

/** What waiting does not mend; undefined where it may. */
function whyUnusable(error: Error, { database, user }: ReturnType<typeof placeOf>): string | undefined {
  const { message } = error;
  const code = codeOf(error) ?? "";
  const said = message.replace(/\.?$/, ".");
  if (code === "28P01") return `The database ${database} refuses the password of the user ${user}.`;
  if (/client password must be a string/.test(message))
    return `The database ${database} asks the user ${user} for a password, and its URL has none.`;
  if (code.startsWith("28")) return `The database ${database} does not let the user ${user} in: ${said}`;
  if (code === "3D000" || (code === pooler && /no such database/.test(message)))
    return `There is no database ${database}: create it, then run 'npm run migrate'.`;
  if (code === pooler && /no such user|unsupported|not allowed/.test(message))
    return `The pooler of ${database} does not let the user ${user} in: ${said}`;
  if (code === "42501") return `The user ${user} lacks a right in the database ${database}: ${said}`;
  if (isCertificateCode(code))
    return `The certificate of the database ${database} is not trusted (${message}): name the file of its authority with sslrootcert in the URL.`;
  if (/not support SSL/.test(message))
    return `The database ${database} does not encrypt, as sslmode in its URL demands.`;
}

/** The driver's own words for what has no code. */
const plain = (message: string) =>
  /timeout/i.test(message) ? "it takes too long" : /terminated/.test(message) ? "it closes the connection" : message;

const temporary: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "the host's name is not known",
  EAI_AGAIN: "the host's name cannot be looked up",
};
