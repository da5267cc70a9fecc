"use client";

/**
 * All styles, in the page's head: the first paint waits for no second file. A client component whose text only the server
 * has (lib/server/files/stylesheet.ts), because what a server component renders is sent twice, as markup and as data.
 */
export function Styles() {
  if (typeof window !== "undefined") return null;
  const { rentAdvanceStyles } = globalThis as { rentAdvanceStyles?: string };
  return (
    rentAdvanceStyles && (
      <style href="styles" precedence="next">
        {rentAdvanceStyles}
      </style>
    )
  );
}
