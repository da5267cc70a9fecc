const loopback = /^((.+\.)?localhost|127(\.\d+){3}|\[?::1?\]?|0\.0\.0\.0)$/i;

/** Whether a host is a name or address that always refers to this machine. */
export const isLoopback = (host) => loopback.test(host);

/**
 * Whether a URL points to this machine, so that this is not production. The module is plain JavaScript for server.mjs, which
 * calls it before the settings are checked, so `url` may be any text.
 */
export function isThisMachine(url) {
  return URL.canParse(url) && isLoopback(new URL(url).hostname);
}
