"use client";

/**
 * All styles, in the page's head (components/site/inline-styles.mjs). A client component whose text only the server has, because
 * what a server component renders is sent twice, as markup and as data.
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
