"use client";

import type { ReactNode } from "react";
import { useSession } from "./session-context";

/** Around what advertises: nothing is advertised to a landlord who was declined. */
export function UnlessDeclined({ children }: { children: ReactNode }) {
  const { session } = useSession();
  return session.state === "authenticated" && session.application.status === "declined" ? null : children;
}
