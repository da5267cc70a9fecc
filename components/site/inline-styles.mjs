import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

// All styles are in the page, so that the first paint waits for no second file (docs/decisions/styles-in-the-page.md). A
// plain module, because next.config.mjs loads it as well.

/** The text of the build's one stylesheet. `next dev` links it instead. */
export const styles = process.env.NODE_ENV === "production" ? readStylesheet(".next/static/chunks") : "";

function readStylesheet(folder) {
  try {
    const [name, ...others] = readdirSync(folder).filter((file) => file.endsWith(".css"));
    if (!name || others.length > 0) throw new Error("The build has not one stylesheet: no style would be allowed.");
    return readFileSync(join(folder, name), "utf8");
  } catch (error) {
    // While the build runs, there is none yet.
    if (error.code === "ENOENT") return "";
    throw error;
  }
}

/** For the policy: the one style element that it allows, by the hash of its text. Unlike a nonce, it allows no other. */
export const styleSource = styles
  ? `'sha256-${createHash("sha256").update(styles).digest("base64")}'`
  : "'unsafe-inline'";

/** Called by the build: takes the stylesheet out of the lists of what Next links from a page. Fails if it finds none. */
export async function unlinkStylesheet({ distDir }) {
  const folder = join(distDir, "server/app");
  const files = await readdir(folder, { recursive: true });
  const manifests = files.filter((file) => file.endsWith("_client-reference-manifest.js"));
  const unlinked = await Promise.all(manifests.map((file) => unlink(join(folder, file))));
  if (!unlinked.some(Boolean))
    throw new Error("No page links the stylesheet: Next lists it in another way than before.");
}

async function unlink(file) {
  const listed = await readFile(file, "utf8");
  const unlisted = listed.replace(/\{"path":"[^"]+\.css","inlined":false\}/g, "");
  await writeFile(file, unlisted);
  return unlisted !== listed;
}
