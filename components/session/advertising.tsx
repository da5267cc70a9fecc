"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { openPaths } from "@/lib/domain/journey";
import { useSession } from "./session-context";

/** Not for somebody who was declined. Its place is kept until that is known. */
export function Advertising({ children }: { children: ReactNode }) {
  const { session } = useSession();
  const isOpen = openPaths.includes(usePathname());
  if (session.state === "authenticated" && session.application.status === "declined") return null;
  return <div className={session.state === "loading" && !isOpen ? "invisible" : undefined}>{children}</div>;
}
