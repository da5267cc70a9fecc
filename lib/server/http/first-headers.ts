import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";

export const securityHeaders = {
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "X-Robots-Tag": "noindex, nofollow",
  // For everything but pages: proxy.ts sets a page's policy, with its nonce.
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

const isFile = (url = "") => /^[^?]*\.\w+(\?|$)/.test(url);

/**
 * Sets the default headers of every answer; Next, proxy.ts and route handlers may replace them. `headers()` in
 * next.config.mjs would not reach Next's own redirects and error answers.
 */
export function setFirstHeaders(request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  if (!isFile(request.url)) response.setHeader("Cache-Control", "no-store");
  // Next answers 500 to a TRACE; as OPTIONS, a call refuses it.
  if (request.method === "TRACE") request.method = "OPTIONS";
}
