"use client";

import { createContext, useContext } from "react";
import type { Brand } from "@/lib/brand";

const BrandContext = createContext<Brand>(null as never);

export const BrandProvider = BrandContext.Provider;

/** The lender's names, contact details and other brand settings of this deployment. */
export function useBrand(): Brand {
  return useContext(BrandContext);
}
