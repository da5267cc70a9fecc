import { get, type IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { expect } from "@playwright/test";
import { test } from "@/__tests__/support/journey";

interface Received {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

function fetchFile(path: string, encoding: string, headers: Record<string, string> = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = { headers: { "accept-encoding": encoding, ...headers } };
    get(new URL(path, process.env.APP_URL), sent, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part);
      resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) });
    }).on("error", reject);
  });
}

const thePage = async () => String((await fetchFile("/", "identity")).body);

async function filesOfThePage(): Promise<string[]> {
  return [...new Set((await thePage()).match(/\/_next\/static\/chunks\/[\w.~-]+\.js(?=")/g))];
}

test("styles are in the page, once, and in no file", async () => {
  const page = await thePage();
  expect(page.split("--color-brand-strong:")).toHaveLength(2);
  expect(page.match(/<style\b/g)).toHaveLength(1);
  expect(page).not.toMatch(/\.css\b/);
});

test("a page is compressed as a whole", async () => {
  for (const path of ["/", "/home"]) {
    const { body } = await fetchFile(path, "gzip");
    expect(body.length, path).toBeLessThan(gzipSync(gunzipSync(body)).length * 1.01);
  }
});

test("no script that a page waits for is smaller than its headers", async () => {
  for (const path of await filesOfThePage())
    expect((await fetchFile(path, "br")).body.length, path).toBeGreaterThan(1000);
});

test("scripts are smaller by Brotli than by gzip, with the same content", async () => {
  const paths = await filesOfThePage();
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) {
    const plain = await fetchFile(path, "identity");
    const gzip = await fetchFile(path, "gzip, deflate");
    const brotli = await fetchFile(path, "gzip, deflate, br, zstd");
    expect(plain.headers["content-encoding"], path).toBeUndefined();
    expect(plain.headers["content-type"], path).toBe("application/javascript; charset=UTF-8");
    expect(brotli.headers["content-encoding"], path).toBe("br");
    expect(brotliDecompressSync(brotli.body).equals(plain.body), path).toBe(true);
    // The compile hint for Chrome (docs/decisions/compile-hint.md).
    expect(plain.body.toString(), path).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
    const unzipped = gzip.headers["content-encoding"] === "gzip" ? gunzipSync(gzip.body) : gzip.body;
    expect(unzipped.equals(plain.body), path).toBe(true);
    expect(brotli.body.length, path).toBeLessThan(gzip.body.length);
    for (const name of ["content-type", "cache-control", "x-content-type-options", "vary"])
      expect(brotli.headers[name], `${path} ${name}`).toBe(plain.headers[name]);
    expect(brotli.headers.vary, path).toContain("Accept-Encoding");
    expect(brotli.headers["cache-control"], path).toContain("immutable");
    expect(brotli.headers.etag, path).not.toBe(plain.headers.etag);
  }
});

test("clients that refuse Brotli, or do not name it, do not get it", async () => {
  for (const path of await filesOfThePage())
    for (const encoding of ["br;q=0, gzip", "gzip, br; q=0", "brx, gzip", "gzip, x-br", "*"])
      expect((await fetchFile(path, encoding)).headers["content-encoding"], `${path} ${encoding}`).not.toBe("br");
});

test("only files have Content-Encoding: br, never a 404 or another error", async () => {
  for (const name of ["nowhere.js", "nowhere.css"]) {
    // The server's internal header (brotli-copies.ts), which a client must not be able to set.
    const missing = await fetchFile(`/_next/static/chunks/${name}`, "br", { "x-brotli-copy": "yes" });
    expect(missing.status, name).toBe(404);
    expect(missing.headers["content-encoding"], name).toBeUndefined();
    expect(missing.headers["cache-control"], name).toContain("no-store");
  }
  const [path = ""] = await filesOfThePage();
  for (const [name, value] of Object.entries({ range: "bytes=99999999-", "if-match": '"another"' })) {
    const refused = await fetchFile(path, "br", { [name]: value });
    expect(refused.status, name).toBeGreaterThanOrEqual(400);
    expect(refused.headers["content-encoding"], name).toBeUndefined();
  }
});
