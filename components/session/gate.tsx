"use client";

import { LoadFailure } from "@/components/session/load-failure";
import { LoadingScreen } from "@/components/session/loading-screen";
import { useSession } from "@/components/session/session-context";
import { unauthorizedPath } from "@/components/session/session-provider";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

/** Stands in front of every screen: nobody without a verified session sees any but /un-authorized. */
export function Gate({ children }: { children: ReactNode }) {
  const { session } = useSession();
  if (usePathname() === unauthorizedPath || session.state === "authenticated") return children;
  return session.state === "failed" ? <LoadFailure /> : <LoadingScreen />;
}
