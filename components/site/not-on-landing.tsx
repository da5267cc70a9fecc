"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

const landingPaths = ["/", "/landing"];

export function NotOnLanding({ children }: { children: ReactNode }) {
  return landingPaths.includes(usePathname()) ? null : children;
}
