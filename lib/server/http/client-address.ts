import "server-only";
import { isIP } from "node:net";
import { currentSettings } from "@/lib/server/settings";

/**
 * The address of the client. Each proxy appends the address it was called from to X-Forwarded-For, and server.mjs appends that
 * of the socket: so with N trusted proxies the Nth entry before the last is reliable, and with none only the last one.
 * In one spelling; '' where what stands in its place is no address.
 */
export function clientAddress(headers: Headers): string {
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return parseAddress(forwarded.at(-1 - currentSettings().TRUSTED_PROXIES) || (forwarded.at(-1) ?? ""));
}

/** Without port, brackets and zone; an IPv4 address that is written as IPv6 becomes IPv4 again. */
export function parseAddress(text: string): string {
  const [, inBrackets, beforePort] = text.match(/^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/) ?? [];
  const bare = (inBrackets ?? beforePort ?? text).replace(/%.*/, "");
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : "";
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, ...halves] = short.match(/^::ffff:(\w+):(\w+)$/) ?? [];
  if (halves.length === 0) return short;
  return halves.flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join(".");
}

/** What limits count by. Of IPv6 the first half: a household or a server has all addresses of its /64 to choose from. */
export function networkOf(address: string): string {
  return address.includes(":") ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;
}

/** Of IPv6 what a provider gives a customer at most. IPv4 has none. */
export function widerNetworkOf(address: string): string | null {
  return address.includes(":") ? `${groupsOf(address).slice(0, 3).join(":")}::/48` : null;
}

function groupsOf(address: string): string[] {
  const [left = [], right = []] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = new Array(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right];
}
