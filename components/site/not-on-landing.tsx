"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";

export const isLanding = (path: string) => path === "/" || path === "/landing";

export function NotOnLanding({ children }: { children: ReactNode }) {
  return isLanding(usePathname()) ? null : children;
}
