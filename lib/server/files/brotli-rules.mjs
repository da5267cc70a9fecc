/**
 * Rewrites and headers for next.config.mjs. They send the `.br` copies of finish-chunks.mjs to clients that accept
 * Brotli (docs/decisions/brotli.md).
 */

const folder = "/_next/static/chunks";

/** Set on each request by brotli-copies.ts. */
export const copyHeader = "x-brotli-copy";

const header = (key, value) => ({ type: "header", key, value });

const has = [
  // Next matches the whole value. One with a weight ('br;q=0') does not match, and the client gets gzip.
  header("accept-encoding", "(?:.*,)?\\s*br\\s*(?:,.*)?"),
  // Next sets the headers below before it looks for the file, so without this a 404 would say 'br', too.
  header(copyHeader, "yes"),
];
// If one of these conditions fails, Next sends an error page, which must not say 'br' either.
const missing = ["range", "if-match", "if-unmodified-since"].map((name) => header(name));

export const brotliRewrite = { source: `${folder}/:file`, has, missing, destination: `${folder}/:file.br` };

export const brotliHeaders = [
  {
    source: `${folder}/:file(.+\\.js)`,
    has,
    missing,
    headers: [
      { key: "Content-Type", value: "application/javascript; charset=UTF-8" },
      { key: "Content-Encoding", value: "br" },
    ],
  },
];
