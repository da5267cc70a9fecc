import { type NextRequest, NextResponse } from "next/server";
import { styleSource } from "@/components/site/inline-styles.mjs";
import { readHandoff, readLink, writeHandoff } from "@/lib/domain/handoff";
import { stopPath } from "@/lib/domain/journey";

/** The desk opens no links of applicants. */
const isDesk = process.env.RENT_PROCESS === "desk";

/** An internal header. It is deleted if a client sends it. */
const headerName = "x-handoff";

/**
 * Moves the token and source of a link into a one-shot cookie and redirects to the same URL without them, so that they
 * never stay in the address bar, the history or a Referer. This does not check access: the page and every call do.
 */
export function proxy(request: NextRequest): NextResponse {
  const link = isDesk ? null : readLink(request.nextUrl);
  return link ? redirectWithoutToken(request, link) : forwardRequest(request);
}

function isSecure({ headers, nextUrl }: NextRequest): boolean {
  return (headers.get("x-forwarded-proto") ?? nextUrl.protocol).startsWith("https");
}

/** Browsers accept a __Host- cookie only over https and from this exact host, so a sibling domain cannot set one. */
function cookieNameOn(request: NextRequest): string {
  return isSecure(request) ? "__Host-handoff" : "handoff";
}

/** Allows our own styles, and our own scripts with this page's nonce. React's development build needs eval. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${styleSource}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isDesk ? [] : ["report-uri /api/csp-report"]),
  ].join("; ");
}

type Link = NonNullable<ReturnType<typeof readLink>>;

function redirectWithoutToken(request: NextRequest, { pathname, search, handoff }: Link): NextResponse {
  const clean = request.nextUrl.clone();
  // A link to /home starts at the landing page (specification, section 4).
  clean.pathname = handoff.token && pathname === "/home" ? "/" : pathname;
  clean.search = search;
  const response = NextResponse.redirect(clean, 307);
  response.headers.set("cache-control", "no-store");
  response.cookies.set(cookieNameOn(request), writeHandoff(handoff), {
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(request),
    maxAge: 60,
    path: "/",
  });
  return response;
}

function forwardRequest(request: NextRequest): NextResponse {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  // Next reads the nonce for its own scripts from the request's policy.
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  headers.delete(headerName);
  const cookie = cookieNameOn(request);
  // A prefetch sends the cookie as well, and would use it up before the browser requests the link's own page.
  const isPrefetch = request.headers.get("sec-fetch-dest") === "empty";
  const carried = isPrefetch ? undefined : request.cookies.get(cookie);
  const handoff = readHandoff(carried?.value);
  // The 401 page opens with any token (specification, section 4), but the token must not be lost. Only /stop drops it.
  if (handoff && request.nextUrl.pathname !== stopPath) headers.set(headerName, writeHandoff(handoff));
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  // Only a cookie with Secure may replace or expire a __Host- cookie.
  if (carried) response.cookies.set(cookie, "", { maxAge: 0, secure: isSecure(request), path: "/" });
  return response;
}

export const config = {
  // Excludes the API, because Next buffers bodies for a proxy before the handlers' own limits apply, and static files.
  matcher: ["/((?!api(?:/|$)|_next/static/|icon\\.svg$|favicon\\.ico$).*)"],
};
