import { isSource } from "./source";

/** What a link carries, on its way from the address bar to the first page (product.md, "One session, two arrivals"). */
export interface Handoff {
  token: string | null;
  source: string | null;
}

/** Longer than any token of ours; what is longer still is cut, and fails verification like any other wrong one. */
const longest = 128;

/** Reads the two parameters of a link; null when it has neither. An unreadable source is dropped. */
export function handoffOf(parameters: URLSearchParams): Handoff | null {
  if (!parameters.has("token") && !parameters.has("source")) return null;
  const source = parameters.get("source");
  return {
    token: parameters.get("token")?.slice(0, longest) || null,
    source: source && isSource(source) ? source : null,
  };
}

/** As text that is safe in a cookie and in a header. */
export function writeHandoff({ token, source }: Handoff): string {
  return encodeURIComponent(JSON.stringify([token, source]));
}

/** Anything but what writeHandoff wrote reads as null. */
export function readHandoff(text: string | null | undefined): Handoff | null {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(text ?? ""));
    if (!Array.isArray(parsed)) return null;
    const [token, source] = parsed.map((part) => (typeof part === "string" ? part : null));
    return { token: token ?? null, source: source && isSource(source) ? source : null };
  } catch {
    return null;
  }
}
