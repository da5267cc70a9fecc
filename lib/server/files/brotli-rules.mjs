/**
 * Next's own rules, by which whoever takes Brotli is sent the `.br` copies of finish-chunks.mjs: an eighth smaller than the
 * gzip that Next makes of a file at each request.
 */

const folder = "/_next/static/chunks";

/** Set on each request by brotli-copies.ts. */
export const copyHeader = "x-brotli-copy";

const header = (key, value) => ({ type: "header", key, value });

const has = [
  // Matched whole. Whoever gives Brotli a weight, such as 'br;q=0', gets gzip.
  header("accept-encoding", "(?:.*,)?\\s*br\\s*(?:,.*)?"),
  // Next sets the headers below before it looks for the file: a 404 would say 'br' too.
  header(copyHeader, "yes"),
];
// Next answers an error page where one of these cannot be met, and that must not say 'br' either.
const missing = ["range", "if-match", "if-unmodified-since"].map((name) => header(name));

export const brotliRewrite = { source: `${folder}/:file`, has, missing, destination: `${folder}/:file.br` };

const label = (ending, type) => ({
  source: `${folder}/:file(.+\\.${ending})`,
  has,
  missing,
  headers: [
    { key: "Content-Type", value: `${type}; charset=UTF-8` },
    { key: "Content-Encoding", value: "br" },
  ],
});

export const brotliHeaders = [label("js", "application/javascript"), label("css", "text/css")];
