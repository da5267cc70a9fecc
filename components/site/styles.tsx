"use client";

/**
 * Puts all styles into the page's head (components/site/inline-styles.mjs). It is a client component that renders only on the
 * server, because the output of a server component is sent twice, as markup and as data. When a page throws, Next sends no markup,
 * and the browser renders all of it: it then loads `address`.
 */
export function Styles({ address }: { address?: string }) {
  if (typeof window !== "undefined")
    return address && !document.querySelector('style[data-href="styles"]') ? (
      <link rel="stylesheet" href={address} precedence="next" />
    ) : null;
  const { styles } = require("./inline-styles.mjs") as typeof import("./inline-styles.mjs");
  return (
    styles && (
      <style href="styles" precedence="next">
        {styles}
      </style>
    )
  );
}
