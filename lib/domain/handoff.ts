import { isSource } from "./source";

/** A link's token and source, passed in a one-shot cookie from the redirect to the first page. */
export interface Handoff {
  token: string | null;
  source: string | null;
}

/** Limits the size of the cookie. Valid tokens are shorter. A longer one is cut and fails verification like any wrong one. */
const maxLength = 128;

/** A token or a source with what may surround it in a message: a space, a full stop, a bracket, a quote. */
const tokenInMessage = /^\W*([\w-]{43})[\W_]*$/;
const sourceInMessage = /^([\w-]{0,39}\w)\W*$/;

/** Reads token and source from a link. Null if it has neither. An invalid source is dropped. */
export function handoffOf(parameters: URLSearchParams): Handoff | null {
  // The values are cut before they are matched, because a link can be as long as Node permits.
  const token = parameters.get("token")?.slice(0, maxLength);
  const source = parameters.get("source")?.slice(0, maxLength);
  if (token === undefined && source === undefined) return null;
  const [, sourceText = ""] = source?.match(sourceInMessage) ?? [];
  return {
    token: token?.replace(tokenInMessage, "$1") || null,
    // A link with an empty token is broken, so its source is ignored.
    source: isSource(sourceText) && token !== "" ? sourceText : null,
  };
}

/** Encoded so that it is safe in a cookie and in a header. */
export function writeHandoff({ token, source }: Handoff): string {
  return encodeURIComponent(JSON.stringify([token, source]));
}

/** Null for anything that writeHandoff did not write. */
export function readHandoff(text: string | null | undefined): Handoff | null {
  try {
    // A value that is not an array has no map, so it throws as well.
    const parts: unknown[] = JSON.parse(decodeURIComponent(text ?? ""));
    const [token, source] = parts.map((part) => (typeof part === "string" ? part : null));
    return { token: token ?? null, source: source && isSource(source) ? source : null };
  } catch {
    return null;
  }
}
