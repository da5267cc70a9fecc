"use client";

import { createContext, useContext } from "react";
import type { ShownConsent } from "@/lib/domain/reviewed";

const ConsentContext = createContext<ShownConsent | null>(null);

export const ConsentProvider = ConsentContext.Provider;

/** The consent text of the server that rendered this page, with its hash. The text of another server may differ. */
export function useRenderedConsent(): ShownConsent {
  const consent = useContext(ConsentContext);
  if (!consent) throw new Error("No consent provider around it");
  return consent;
}
