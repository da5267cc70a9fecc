"use client";

import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";

export function Addressee() {
  const { firstName } = useApplication().application;
  const { name, product } = useBrand();
  return firstName ? `For ${firstName}, from ${name}` : `${product} by ${name}`;
}
