import { isIP } from "node:net";
import { currentSettings } from "@/lib/server/settings";

/**
 * The client's address in one spelling; '' if the entry is not an address. Each proxy appends its caller's address to
 * X-Forwarded-For, and normalise-request.mjs appends the address of the socket. So with N trusted proxies the Nth entry before
 * the last is reliable, and without proxies only the last one.
 */
export function clientAddress(headers: Headers): string {
  const entries = (headers.get("x-forwarded-for") ?? "").split(",");
  const entryAt = (index: number) => (entries.at(index) ?? "").trim();
  return parseAddress(entryAt(-1 - currentSettings().TRUSTED_PROXIES) || entryAt(-1));
}

/** Removes port, brackets and zone, and converts an IPv4-mapped IPv6 address to IPv4. Returns '' for anything else. */
export function parseAddress(text: string): string {
  const [, inBrackets, beforePort] = text.match(/^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/) ?? [];
  const bare = (inBrackets ?? beforePort ?? text).replace(/%.*/, "");
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : "";
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, ...halves] = short.match(/^::ffff:(\w+):(\w+)$/) ?? [];
  if (halves.length === 0) return short;
  return halves.flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join(".");
}

/** The key of rate limits: the IPv4 address or the IPv6 /64, because a household or a server can use its whole /64. */
export const networkOf = (address: string) => prefixOf(address, 64) ?? address;

/** The IPv6 /48, the largest network that a provider assigns to a customer; null for IPv4. */
export const widerNetworkOf = (address: string) => prefixOf(address, 48);

function prefixOf(address: string, bits: number): string | null {
  if (!address.includes(":")) return null;
  const [left = [], right = []] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = new Array(8 - left.length - right.length).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, bits / 16).join(":")}::/${bits}`;
}
