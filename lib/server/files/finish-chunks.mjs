import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const compress = promisify(brotliCompress);

/**
 * Chrome compiles the functions of a script with this first line beside the page's own work, while the rest is on its
 * way, and not one by one as each is first called (v8.dev/blog/explicit-compile-hints). Others read a comment.
 */
const compileHint = Buffer.from("//# allFunctionsCalledOnLoad\n");

/** Runs in the build, once the chunks are written: gives each script that line, and leaves a `.br` copy beside each file. */
export async function finishChunks({ distDir }) {
  const folder = join(distDir, "static/chunks");
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name));
  await Promise.all(names.map((name) => finish(join(folder, name))));
}

async function finish(file) {
  let content = await readFile(file);
  const isHinted = content.subarray(0, compileHint.length).equals(compileHint);
  if (file.endsWith(".js") && !isHinted) {
    content = Buffer.concat([compileHint, content]);
    await writeFile(file, content);
  }
  await writeFile(`${file}.br`, await compress(content));
}
