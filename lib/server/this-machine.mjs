const loopback = /^((.+\.)?localhost|127(\.\d+){3}|\[?::1?\]?|0\.0\.0\.0)$/i;

/** Whether a host is this machine, by a name or address that no other machine reaches. */
export const isLoopback = (host) => loopback.test(host);

/** Whether a URL leads to this machine: not production. A plain module, because server.mjs asks as well. */
export function isThisMachine(url) {
  return isLoopback(new URL(url).hostname);
}
