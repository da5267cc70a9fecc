import { type NextRequest, NextResponse } from "next/server";
import { attemptCookie, cookieOptions } from "@/app/desk/cookies";
import { isOpenedFromDesk } from "@/app/desk/opened-from-desk";
import { beginSignIn, deskPath } from "@/lib/server/desk/sign-in";
import { clientAddress } from "@/lib/server/http/client-address";
import { countSignIn } from "@/lib/server/http/limits";
import { errorForLog, logProcess } from "@/lib/server/http/log";
import { currentSettings } from "@/lib/server/settings";

/** Sends the browser to the provider. */
export async function GET(request: NextRequest): Promise<NextResponse> {
  const { deskUrl } = currentSettings();
  const to = request.nextUrl.searchParams.get("to") ?? "/desk";
  const back = (problem: string) =>
    NextResponse.redirect(`${deskUrl}/desk/sign-in?${new URLSearchParams({ to: deskPath(to), problem })}`, 303);
  // A link of another site leads to the sign-in page first.
  if (!isOpenedFromDesk(request)) return back("");
  if (!(await countSignIn(clientAddress(request.headers)))) return back("too-many");
  try {
    const { location, attempt } = await beginSignIn(to);
    const response = NextResponse.redirect(location, 303);
    response.cookies.set(attemptCookie(), JSON.stringify(attempt), { ...cookieOptions(), maxAge: 600 });
    return response;
  } catch (error) {
    logProcess("warn", { signIn: "no answer", error: errorForLog(error) });
    return back("provider");
  }
}
