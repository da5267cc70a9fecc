import { unlinkStylesheet } from "./components/site/inline-styles.mjs";

/** The desk is a build of its own, of the files named *.desk.tsx and *.desk.ts, so that applicants' pages and files have none of it. */
const isDesk = process.env.RENT_PROCESS === "desk";

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  ...(isDesk ? { distDir: ".next-desk", pageExtensions: ["desk.tsx", "desk.ts", "ts"] } : {}),
  // For every visitor, the link to the icon is in the head. If it were streamed, a script would move it there later.
  htmlLimitedBots: /.*/,
  // No page has optimised images, so /_next/image is a 404.
  images: { unoptimized: true },
  // Leaves out tests and migrate:new, because a production install has neither their types nor their tools.
  typescript: {
    tsconfigPath: "tsconfig.build.json",
    // The demo waits for the build, so it skips the type check (demo.ts). The applicants' build checks the desk's types too.
    ignoreBuildErrors: isDesk || process.env.BUILD_WITHOUT_TYPES === "1",
  },
  compiler: { runAfterProductionCompile: unlinkStylesheet },
  // Not bundled. The calls and the instrumentation share the registry of prom-client, so it may exist only once (counters.ts).
  // Only a process that needs one of the others loads it.
  serverExternalPackages: ["echarts", "esbuild", "imapflow", "nodemailer", "prom-client"],
  async rewrites() {
    return {
      beforeFiles: [
        // Some mail clients encode the ampersand of /review&submit.
        { source: "/review%26submit", destination: "/review&submit" },
        // Rewritten to a route, because Next would treat a folder of this name as a file convention for icons.
        { source: "/icon.svg", destination: "/logo" },
        // Browsers request this on their own while a page changes.
        { source: "/favicon.ico", destination: "/logo" },
      ],
    };
  },
};

export default config;
