"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { endSession } from "@/lib/server/desk/sessions";
import { cookieOptions, sessionCookie } from "./cookies";
import { isFromDesk } from "./guard";

export async function signOut(): Promise<void> {
  if (!(await isFromDesk())) return;
  const jar = await cookies();
  await endSession(jar.get(sessionCookie())?.value);
  jar.set(sessionCookie(), "", { ...cookieOptions(), maxAge: 0 });
  redirect("/desk/sign-in?problem=ended");
}
