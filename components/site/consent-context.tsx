"use client";

import { createContext, useContext } from "react";
import type { ShownConsent } from "@/lib/domain/reviewed";

const ConsentContext = createContext<ShownConsent>(null as never);

export const ConsentProvider = ConsentContext.Provider;

/** The consent text of the server that rendered this page, with its hash. The text of another server may differ. */
export function useRenderedConsent(): ShownConsent {
  return useContext(ConsentContext);
}
