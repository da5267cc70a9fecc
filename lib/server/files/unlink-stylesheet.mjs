import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const manifest = /_client-reference-manifest\.js$/;
const stylesheet = /\{"path":"[^"]+\.css","inlined":false\}/g;

/**
 * Takes the stylesheet out of the lists of what Next links from a page, since the page has its text (stylesheet.ts). Next's
 * own option, inlineCss, sends the text a second time as data.
 */
export async function unlinkStylesheet({ distDir }) {
  const folder = join(distDir, "server/app");
  const files = (await readdir(folder, { recursive: true })).filter((file) => manifest.test(file));
  const unlinked = await Promise.all(files.map((file) => unlink(join(folder, file))));
  if (!unlinked.some(Boolean))
    throw new Error("No page links the stylesheet: Next lists it in another way than before.");
}

async function unlink(file) {
  const listed = await readFile(file, "utf8");
  const unlisted = listed.replace(stylesheet, "");
  await writeFile(file, unlisted);
  return unlisted !== listed;
}
