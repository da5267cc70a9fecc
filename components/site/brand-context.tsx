"use client";

import { createContext, useContext } from "react";
import type { Brand } from "@/lib/brand";

const BrandContext = createContext<Brand>(null as never);

export const BrandProvider = BrandContext.Provider;

export function useBrand(): Brand {
  return useContext(BrandContext);
}
