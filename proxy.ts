import { type NextRequest, NextResponse } from "next/server";
import { type Handoff, handoffOf, readHandoff, writeHandoff } from "@/lib/domain/handoff";
import { contentSecurityPolicy } from "@/lib/server/calls/content-security-policy";

const cookieName = "handoff";
/** Internal: the same header from a client is deleted. */
const headerName = "x-handoff";

/**
 * Moves the token and source of a link into a one-shot cookie and redirects to the same URL without them, so that they
 * never stay in the address bar, the history or a Referer. No access check: the page and every call verify the token.
 */
export function proxy(request: NextRequest): NextResponse {
  const handoff = handoffOf(request.nextUrl.searchParams);
  return handoff ? takeOffLink(request, handoff) : passOn(request);
}

function takeOffLink(request: NextRequest, handoff: Handoff): NextResponse {
  const clean = request.nextUrl.clone();
  clean.searchParams.delete("token");
  clean.searchParams.delete("source");
  // A link to /home starts at the landing (specification, section 4).
  if (handoff.token && clean.pathname === "/home") clean.pathname = "/";
  const response = NextResponse.redirect(clean, 307);
  response.headers.set("cache-control", "no-store");
  response.cookies.set(cookieName, writeHandoff(handoff), {
    httpOnly: true,
    sameSite: "lax",
    secure: request.headers.get("x-forwarded-proto") === "https" || clean.protocol === "https:",
    maxAge: 60,
    path: "/",
  });
  return response;
}

function passOn(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  // Next reads the nonce for its own scripts from the request's policy.
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  headers.delete(headerName);
  const carried = readHandoff(request.cookies.get(cookieName)?.value);
  if (carried) headers.set(headerName, writeHandoff(carried));
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (request.cookies.has(cookieName)) response.cookies.delete(cookieName);
  return response;
}

export const config = {
  // Not the API: Next buffers bodies for a proxy, before the handlers' own limits apply. Not static files either.
  matcher: ["/((?!api(?:/|$)|_next/static/|icon\\.svg$|favicon\\.ico$).*)"],
};
