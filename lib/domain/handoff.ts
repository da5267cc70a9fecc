import { isSource } from "./source";

/** A link's token and source, passed in a one-shot cookie from the redirect to the first page. */
export interface Handoff {
  token: string | null;
  source: string | null;
}

/** Bounds the cookie. Our tokens are shorter; a longer one is cut and fails verification like any wrong one. */
const longest = 128;

/** A token or a source, and whatever a sentence puts behind a link: a full stop, a bracket, a quote. */
const tokenInMessage = /^([\w-]{43})[\W_]+$/;
const sourceInMessage = /^([\w-]{0,39}\w)\W*$/;

/** Reads token and source from a link; null when it has neither. An invalid source is dropped. */
export function handoffOf(parameters: URLSearchParams): Handoff | null {
  // Cut first: a link can be as long as Node lets it be.
  const token = parameters.get("token")?.slice(0, longest);
  const source = parameters.get("source")?.slice(0, longest);
  if (token === undefined && source === undefined) return null;
  const [, known = ""] = source?.match(sourceInMessage) ?? [];
  return {
    token: token?.replace(tokenInMessage, "$1") || null,
    // A link that lost its token is a broken one: its source changes nothing.
    source: isSource(known) && token !== "" ? known : null,
  };
}

/** Encoded so that it is safe in a cookie and in a header. */
export function writeHandoff({ token, source }: Handoff): string {
  return encodeURIComponent(JSON.stringify([token, source]));
}

/** Null for anything that writeHandoff did not write. */
export function readHandoff(text: string | null | undefined): Handoff | null {
  try {
    // What is no array has no map, and throws as well.
    const parts: unknown[] = JSON.parse(decodeURIComponent(text ?? ""));
    const [token, source] = parts.map((part) => (typeof part === "string" ? part : null));
    return { token: token ?? null, source: source && isSource(source) ? source : null };
  } catch {
    return null;
  }
}
