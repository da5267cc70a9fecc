import "server-only";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const folder = ".next/static/chunks";

// On globalThis: Next bundles what renders components (components/site/styles.tsx) apart from this.
const kept = globalThis as { rentAdvanceStyles?: string };

/** The build's one stylesheet, which every page has in its head. `next dev` links it instead. */
function findStylesheet(): string | undefined {
  if (process.env.NODE_ENV !== "production") return;
  const name = readdirSync(folder).find((file) => file.endsWith(".css"));
  return name && readFileSync(`${folder}/${name}`, "utf8");
}

kept.rentAdvanceStyles ??= findStylesheet();

/** The one style element that the policy allows, by the hash of its text: unlike a nonce, it allows no other. */
export const stylesheetSource = kept.rentAdvanceStyles
  ? ` 'sha256-${createHash("sha256").update(kept.rentAdvanceStyles).digest("base64")}'`
  : "";
