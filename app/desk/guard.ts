import { cookies, headers } from "next/headers";
import { redirect, unstable_rethrow } from "next/navigation";
import type { ActionResult } from "@/components/desk/action-form";
import { printable } from "@/lib/domain/printable-text";
import { isDatabaseFailure } from "@/lib/server/db/errors";
import { mayDo, type Right } from "@/lib/server/desk/rights";
import { findSession, type Person } from "@/lib/server/desk/sessions";
import { errorForLog, logProcess } from "@/lib/server/http/log";
import { Refusal } from "@/lib/server/refusal";
import { currentSettings } from "@/lib/server/settings";
import { sessionCookie } from "./cookies";

/** Who is signed in, or null. Does not extend the session. */
export async function personHere(): Promise<Person | null> {
  const jar = await cookies();
  return findSession(jar.get(sessionCookie())?.value, { isUse: false });
}

/** Who is signed in and uses the desk now, or null. */
export async function personUsing(): Promise<Person | null> {
  const jar = await cookies();
  return findSession(jar.get(sessionCookie())?.value, { isUse: true });
}

/** The person who opens a page. Without a session the browser goes to the sign-in page, and afterwards back to `path`. */
export async function requirePerson(path: string): Promise<Person> {
  return (await personUsing()) ?? redirect(`/desk/sign-in?${new URLSearchParams({ to: path })}`);
}

/** Whether the request comes from a page of the desk. Next accepts an action without an Origin header. */
export async function isFromDesk(): Promise<boolean> {
  return (await headers()).get("origin") === new URL(currentSettings().deskUrl).origin;
}

/**
 * A server action of the desk. Next runs an action on any page and without an Origin header, so each one checks Origin,
 * session and right itself.
 */
export function deskAction<Result = never>(
  right: Right,
  work: (form: FormData, person: Person) => Promise<ActionResult | Result>,
) {
  return async (_: ActionResult | Result, form: FormData): Promise<ActionResult | Result> => {
    if (!(await isFromDesk())) return { refused: "This request did not come from the desk." };
    const person = await personUsing();
    if (!person) return { refused: "You have been signed out. Sign in again in another tab, then repeat this." };
    if (!mayDo(person.role, right)) return { refused: "Only an approver may do this." };
    return work(form, person).catch(refusalOf);
  };
}

/** The words of a refusal, or a general sentence: the message of any other error may quote personal data. */
function refusalOf(error: unknown): ActionResult {
  // A redirect is thrown as well.
  unstable_rethrow(error);
  if (error instanceof Refusal) return { refused: printable(error.reason) };
  logProcess("error", { desk: "failed", error: errorForLog(error) });
  const cause = isDatabaseFailure(error) ? "The database does not answer." : "Something went wrong.";
  return { refused: `${cause} Before you repeat this, reload the page to see whether it was done.` };
}
