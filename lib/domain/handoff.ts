import { pagePaths } from "./journey";
import { isSource } from "./source";

/** A link's token and source, passed in a one-shot cookie from the redirect to the first page. */
export interface Handoff {
  token: string | null;
  source: string | null;
}

type Address = Pick<URL, "pathname" | "search">;

/** Limits the size of the cookie. Valid tokens are shorter. A longer text is cut and fails verification like any wrong token. */
const maxLength = 128;
const tokenLength = 43;

/** Decodes until there are no more escapes: some programs encode a link again. */
function decoded(text: string, times = 3): string {
  try {
    const next = decodeURIComponent(text);
    return next === text || times === 1 ? next : decoded(next, times - 1);
  } catch {
    return text;
  }
}

/** Reads a token whatever was put into, before or after it: spaces, invisible characters, backslashes, the 3D of '=3D'. */
function readToken(value: string): string | null {
  const characters = value.replace(/\p{Pd}/gu, "-").replace(/[^\w-]/g, "");
  const token = characters.slice(characters.length >= tokenLength + 2 && characters.startsWith("3D") ? 2 : 0);
  return (token.length < tokenLength ? value.slice(0, maxLength) : token.slice(0, tokenLength)) || null;
}

/** Reads a source up to what follows it in a message. An invalid one is dropped. */
function readSource(value: string): string | null {
  const [, source = ""] = /^(?:3D)?([\w-]{0,39}\w)(?!\w)/.exec(value.replace(/[\s=\\\p{C}\p{M}]/gu, "")) ?? [];
  return isSource(source) ? source : null;
}

/** Reads token and source from an address, and returns it without them. Null if it has neither. */
export function readLink({ pathname, search }: Address): (Address & { handoff: Handoff }) | null {
  // The '?' may be encoded too, which makes the query a part of the path.
  const [path = "", ...hidden] = pathname.split(/%(?:25)*3F/i);
  const found: { token?: string; source?: string } = {};
  const others = [...hidden, search.slice(1)]
    .flatMap((query) => query.split("&"))
    .filter((parameter) => {
      const named = decoded(parameter)
        .split(/[?&;]/)
        .flatMap((part) => {
          const [, name, value = ""] = /^\W*(token|source)\W*?=(.*)$/is.exec(part) ?? [];
          return name ? [[name.toLowerCase(), value] as const] : [];
        });
      for (const [name, value] of named) found[name as keyof Handoff] ||= value;
      return named.length === 0 && parameter !== "";
    });
  const { token, source } = found;
  if (token === undefined && source === undefined) return null;
  const tidy = decoded(path).replace(/[^\w/&-]/g, "");
  return {
    pathname: pagePaths.includes(tidy) ? tidy : path,
    search: others.length > 0 ? `?${others.join("&")}` : "",
    // A link with an empty token is broken, so its source is ignored.
    handoff: { token: readToken(token ?? ""), source: token === "" ? null : readSource(source ?? "") },
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
