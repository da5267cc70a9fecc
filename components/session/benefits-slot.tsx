"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { isLanding, openPaths } from "@/lib/domain/journey";
import { useSession } from "./session-context";

/**
 * Hides the benefits on the landing, which says the same in its own words, and from a landlord who was declined. Keeps their
 * space until the status is known.
 */
export function BenefitsSlot({ children }: { children: ReactNode }) {
  const { session } = useSession();
  const path = usePathname();
  const isDeclined = session.state === "authenticated" && session.application.status === "declined";
  if (isLanding(path) || isDeclined) return null;
  const isKnown = session.state !== "loading" || openPaths.includes(path);
  return <div className={isKnown ? undefined : "invisible"}>{children}</div>;
}
