import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const compress = promisify(brotliCompress);

/**
 * With this first line, Chrome compiles all functions of a script on another thread while it downloads, instead of each
 * one on its first call (docs/decisions/compile-hint.md). Other browsers see a comment.
 */
const compileHint = Buffer.from("//# allFunctionsCalledOnLoad\n");

/** Class static blocks, which Safari has since 16.4: one of Next's in a root chunk would keep older phones out. */
const staticBlock = /\bstatic\{this\.(\w+)=([\w$.]+)\}/g;

/**
 * Called by the build once the chunks are written: adds that line to each script, writes static blocks as fields, and puts
 * a `.br` copy beside it. Styles are in the page (stylesheet.ts).
 */
export async function finishChunks({ distDir }) {
  const folder = join(distDir, "static/chunks");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  await Promise.all(names.map((name) => finish(join(folder, name))));
}

async function finish(file) {
  let content = await readFile(file);
  const isHinted = content.subarray(0, compileHint.length).equals(compileHint);
  if (!isHinted) {
    const script = content.toString().replace(staticBlock, "static $1=$2;");
    content = Buffer.concat([compileHint, Buffer.from(script)]);
    await writeFile(file, content);
  }
  await writeFile(`${file}.br`, await compress(content));
}
