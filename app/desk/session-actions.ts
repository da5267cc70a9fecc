"use server";

import { cookies } from "next/headers";
import { findSession } from "@/lib/server/desk/sessions";
import { sessionCookie } from "./cookies";
import { isFromDesk } from "./guard";

/** The milliseconds until the session of this browser ends; 0 without one. */
async function timeLeft(isUse: boolean): Promise<number> {
  if (!(await isFromDesk())) return 0;
  const jar = await cookies();
  const person = await findSession(jar.get(sessionCookie())?.value, { isUse });
  return person ? Math.max(0, person.endsAt.getTime() - Date.now()) : 0;
}

/** Asking is no use of the desk. */
export async function askTimeLeft(): Promise<number> {
  return timeLeft(false);
}

export async function staySignedIn(): Promise<number> {
  return timeLeft(true);
}
