/**
 * Whether a request target has more than 2 kB or 30 parameters. The time that Next takes grows with the square of the number of
 * parameters. Our links have two.
 */
export const isTooLong = (target) => target.length > 2048 || target.split("&").length > 30;

/** Rewrites requests that Next would answer with 500, or with a redirect that repeats a link's token: '//?token=…'. */
export function normalise(request) {
  const { headers } = request;
  // A request target may contain scheme and host, or be '*' (RFC 9112, section 3.2).
  const target = request.url.replace(/^([a-z][a-z\d+.-]*:\/\/[^/?#]*)?\/?/i, "/");
  request.url = target.replace(/^[^?]*/, (path) => decodable(path.replace(/[\\/]{2,}/g, "/").replace(/(.)\/$/, "$1")));
  // Route handlers do not cover other methods. Every call refuses OPTIONS, and for health and ready Next answers it (204).
  if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(request.method)) request.method = "OPTIONS";
  // With these headers of Next's routers, Next would answer a call without its handler.
  delete headers["x-middleware-prefetch"];
  if (request.url.startsWith("/api/")) delete headers.rsc;
  if (!isRouterState(headers["next-router-state-tree"])) delete headers["next-router-state-tree"];
  // Appends the caller's address, as each proxy in front does, because client-address.ts counts from the end. A connection that
  // has been reset has none, and the caller's own entry must not take its place.
  const { "x-forwarded-for": forwarded } = headers;
  headers["x-forwarded-for"] = `${forwarded ? `${forwarded}, ` : ""}${request.socket.remoteAddress ?? ""}`;
}

/** Whether this is a state of Next's client-side router. Next answers others with 500. Without one, it sends the whole page. */
function isRouterState(text) {
  try {
    // Ours have some 500 characters. Next, which checks deep ones recursively, would run out of stack.
    return text.length < 4000 && isRouterTree(JSON.parse(decodeURIComponent(text)));
  } catch {
    return false;
  }
}

const markers = ["refetch", "inside-shared-layout", "metadata-only"];

/** Our pages have no dynamic segments, so a segment is a string. */
function isRouterTree([segment, children, url, marker, hints, extra, ...others]) {
  const isPair = (value) => value.length === 2 && value.every((part) => typeof part === "string");
  return (
    typeof segment === "string" &&
    Object.getPrototypeOf(children) === Object.prototype &&
    Object.values(children).every(isRouterTree) &&
    (url == null || (Array.isArray(url) && isPair(url))) &&
    (marker == null || markers.includes(marker)) &&
    (hints === undefined || typeof hints === "number") &&
    (extra === undefined || typeof extra === "string") &&
    others.length === 0
  );
}

/** Escapes the '%' in a path whose escapes are not UTF-8, such as '/%FF', so that it counts as a character. */
function decodable(path) {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll("%", "%25");
  }
}
