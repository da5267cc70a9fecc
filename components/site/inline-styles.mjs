import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

// All styles are in the page itself, so that the first paint does not wait for a second file
// (docs/decisions/inline-styles.md). This is a plain module, because next.config.mjs loads it as well.

const build = process.env.RENT_PROCESS === "desk" ? ".next-desk" : ".next";

/** The build's only stylesheet. It is empty in `next dev`, which links the stylesheet instead. */
const { name: stylesheet, text: styles } =
  process.env.NODE_ENV === "production" ? readStylesheet(`${build}/static/chunks`) : { name: "", text: "" };

export { styles };
/** Its address, for a page without inline styles. */
export const stylesheetAddress = stylesheet && `/_next/static/chunks/${stylesheet}`;

function readStylesheet(folder) {
  try {
    const [name, ...otherNames] = readdirSync(folder).filter((file) => file.endsWith(".css"));
    if (!name || otherNames.length > 0)
      throw new Error(
        "The build must have exactly one stylesheet, because the Content-Security-Policy allows the hash of only one.",
      );
    return { name, text: readFileSync(join(folder, name), "utf8") };
  } catch (error) {
    // The stylesheet does not exist yet while the build runs.
    if (error.code === "ENOENT") return { name: "", text: "" };
    throw error;
  }
}

/** For the Content-Security-Policy. The hash of its text allows this one style element; a nonce would allow others too. */
export const styleSource = styles ? `'sha256-${hash("sha256", styles, "base64")}'` : "'unsafe-inline'";

/** Called by the build. Removes the stylesheet from the lists of files that Next links from a page. Fails if none has it. */
export async function unlinkStylesheet({ distDir }) {
  const folder = join(distDir, "server/app");
  const files = await readdir(folder, { recursive: true });
  const manifests = files.filter((file) => file.endsWith("_client-reference-manifest.js"));
  const unlinked = await Promise.all(manifests.map((file) => unlink(join(folder, file))));
  if (!unlinked.some(Boolean)) throw new Error("No page links the stylesheet: Next's manifest format has changed.");
}

async function unlink(file) {
  const listed = await readFile(file, "utf8");
  const unlisted = listed.replace(/\{"path":"[^"]+\.css","inlined":false\}/g, "");
  await writeFile(file, unlisted);
  return unlisted !== listed;
}
