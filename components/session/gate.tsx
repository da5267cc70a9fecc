"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { unauthorizedPath } from "@/lib/domain/journey";
import { LoadFailure } from "./load-failure";
import { LoadingScreen } from "./loading-screen";
import { useSession } from "./session-context";

/** Wraps every screen: without a verified session only /un-authorized renders. */
export function Gate({ children }: { children: ReactNode }) {
  const { session } = useSession();
  if (usePathname() === unauthorizedPath || session.state === "authenticated") return children;
  return session.state === "failed" ? <LoadFailure failure={session.failure} /> : <LoadingScreen />;
}
