"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { openPaths } from "@/lib/domain/journey";
import { useSession } from "./session-context";

/** Hides advertising from a landlord who was declined, and keeps its space until the status is known. */
export function UnlessDeclined({ children }: { children: ReactNode }) {
  const { session } = useSession();
  const isKnown = session.state !== "loading";
  const isOpen = openPaths.includes(usePathname());
  if (session.state === "authenticated" && session.application.status === "declined") return null;
  return <div className={isKnown || isOpen ? undefined : "invisible"}>{children}</div>;
}
