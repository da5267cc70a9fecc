import { type NextRequest, NextResponse } from "next/server";
import { type Handoff, handoffOf, readHandoff, writeHandoff } from "@/lib/domain/handoff";
import { contentSecurityPolicy } from "@/lib/server/calls/content-security-policy";

const cookieName = "handoff";
/** Only this file sets it: what a client sends under this name is removed. */
const headerName = "x-handoff";

/**
 * Takes the token and the source off a link, before the first page: they never stay in the address bar, the history or a
 * Referer. It carries and never decides who may enter: the page and every call verify the token themselves.
 */
export function proxy(request: NextRequest): NextResponse {
  const handoff = handoffOf(request.nextUrl.searchParams);
  return handoff ? takeOffLink(request, handoff) : passOn(request);
}

function takeOffLink(request: NextRequest, handoff: Handoff): NextResponse {
  const clean = request.nextUrl.clone();
  clean.searchParams.delete("token");
  clean.searchParams.delete("source");
  // A visitor who arrives from a link on /home starts at the landing (specification, section 4).
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
  // Next takes the nonce for its own scripts from the policy on the request.
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
  // Not the API, whose handlers limit bodies themselves (Next would buffer them here), nor files that never change.
  matcher: ["/((?!api/|_next/static/|icon.svg$|favicon.ico$).*)"],
};
