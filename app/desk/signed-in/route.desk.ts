import { type NextRequest, NextResponse } from "next/server";
import { attemptCookie, cookieOptions, sessionCookie } from "@/app/desk/cookies";
import { recordRun } from "@/lib/server/applications/record-run";
import { roleOf } from "@/lib/server/desk/rights";
import { endSession, startSession } from "@/lib/server/desk/sessions";
import { deskPath, finishSignIn, readAttempt } from "@/lib/server/desk/sign-in";
import { clientAddress } from "@/lib/server/http/client-address";
import { countSignIn } from "@/lib/server/http/limits";
import { errorForLog, logProcess } from "@/lib/server/http/log";
import { currentSettings } from "@/lib/server/settings";

/** The provider sends the browser back here. */
export async function GET(request: NextRequest): Promise<NextResponse> {
  const { deskUrl } = currentSettings();
  const attempt = readAttempt(request.cookies.get(attemptCookie())?.value);
  const to = deskPath(attempt?.to ?? "/desk");
  const answer = (path: string) => {
    const response = NextResponse.redirect(`${deskUrl}${path}`, 303);
    response.cookies.set(attemptCookie(), "", { ...cookieOptions(), maxAge: 0 });
    return response;
  };
  const back = (problem: string) => answer(`/desk/sign-in?${new URLSearchParams({ to, problem })}`);
  if (!(await countSignIn(clientAddress(request.headers)))) return back("too-many");
  if (!attempt) return back("expired");
  try {
    const { by, ...claims } = await finishSignIn(request.nextUrl.search, attempt);
    if (!roleOf(claims)) {
      logProcess("warn", { signIn: "nobody" });
      return back("nobody");
    }
    await endSession(request.cookies.get(sessionCookie())?.value);
    await recordRun({ by, command: "desk sign in" });
    const response = answer(to);
    response.cookies.set(sessionCookie(), await startSession(by, claims), cookieOptions());
    return response;
  } catch (error) {
    logProcess("warn", { signIn: "refused", error: errorForLog(error) });
    return back("expired");
  }
}
