"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { LoadFailure } from "./load-failure";
import { LoadingScreen } from "./loading-screen";
import { useSession } from "./session-context";
import { unauthorizedPath } from "./session-provider";

/** Stands in front of every screen: nobody without a verified session sees any but /un-authorized. */
export function Gate({ children }: { children: ReactNode }) {
  const { session } = useSession();
  if (usePathname() === unauthorizedPath || session.state === "authenticated") return children;
  return session.state === "failed" ? <LoadFailure failure={session.failure} /> : <LoadingScreen />;
}
