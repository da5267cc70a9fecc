/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Some mail clients encode the ampersand of /review&submit.
  async rewrites() {
    return { beforeFiles: [{ source: "/review%26submit", destination: "/review&submit" }] };
  },
};

export default config;
