"use client";

import type { ReactNode } from "react";
import { useApplication } from "@/components/session/session-context";
import { landingVariant } from "@/lib/domain/source";

interface ByVariantProps {
  preApproval: ReactNode;
  invoice: ReactNode;
}

/** Where the two landings differ. The server sends both variants, since only the browser knows a stored source. */
export function ByVariant({ preApproval, invoice }: ByVariantProps) {
  const { source } = useApplication();
  return landingVariant(source) === "pre-approval" ? preApproval : invoice;
}
