"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { openPaths } from "@/lib/domain/journey";
import { LoadFailure } from "./load-failure";
import { LoadingScreen } from "./loading-screen";
import { useSession } from "./session-context";

/** Wraps every screen: without a verified session only the open ones render. */
export function Gate({ children }: { children: ReactNode }) {
  const { session } = useSession();
  if (openPaths.includes(usePathname()) || session.state === "authenticated") return children;
  return session.state === "failed" ? <LoadFailure failure={session.failure} /> : <LoadingScreen />;
}
