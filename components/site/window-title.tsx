"use client";

import { useBrand } from "./brand-context";

interface WindowTitleProps {
  title: string;
  /** Prefixes 'Error: ', so that a screen reader says it first. */
  hasError?: boolean;
}

/**
 * The window's title, which React moves into the head. Titles depend on the state of a screen, so no page has a title in its
 * metadata: the browser would show the first of the two.
 */
export function WindowTitle({ title, hasError = false }: WindowTitleProps) {
  const { product } = useBrand();
  return <title>{`${hasError ? "Error: " : ""}${title} – ${product}`}</title>;
}
