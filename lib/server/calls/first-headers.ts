import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";

const securityHeaders = {
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "X-Robots-Tag": "noindex, nofollow",
  // For whatever is no page; proxy.ts gives each page its own.
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

const isFile = (url = "") => /^[^?]*\.\w+(\?|$)/.test(url);

/** Next answers 500 to a TRACE, and to any other method than these of a file: the one is refused, the file is read. */
function readableMethod({ method, url }: IncomingMessage): string | undefined {
  if (isFile(url) && method !== "HEAD") return "GET";
  return method === "TRACE" ? "OPTIONS" : method;
}

/**
 * Every answer starts with these headers, and whoever answers may replace them. Set here rather than in Next's own
 * configuration, because its redirects and refusals carry none of that.
 */
export function setFirstHeaders(request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  if (!isFile(request.url)) response.setHeader("Cache-Control", "no-store");
  request.method = readableMethod(request);
}
