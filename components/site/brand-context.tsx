"use client";

import { createContext, useContext } from "react";
import type { Brand } from "@/lib/brand";

const BrandContext = createContext<Brand>(null as never);

export const BrandProvider = BrandContext.Provider;

/** Today in the lender's time zone, by the server's clock: a device's clock may be wrong. */
export const LendersDay = createContext("");

export function useBrand(): Brand {
  return useContext(BrandContext);
}
