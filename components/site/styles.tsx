"use client";

/**
 * Puts all styles into the page's head (components/site/inline-styles.mjs). It is a client component that renders only on the
 * server, because the output of a server component is sent twice, as markup and as data.
 */
export function Styles() {
  if (typeof window !== "undefined") return null;
  const { styles } = require("./inline-styles.mjs") as typeof import("./inline-styles.mjs");
  return (
    styles && (
      <style href="styles" precedence="next">
        {styles}
      </style>
    )
  );
}
