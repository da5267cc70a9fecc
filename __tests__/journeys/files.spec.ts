import { get, type IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "@playwright/test";
import { test } from "@/__tests__/support/journey";

interface Received {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

function fetchFile(path: string, encoding: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    get(new URL(path, process.env.APP_URL), { headers: { "accept-encoding": encoding } }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part);
      resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) });
    }).on("error", reject);
  });
}

async function filesOfThePage(): Promise<string[]> {
  const { body } = await fetchFile("/", "identity");
  return [...new Set(body.toString().match(/\/_next\/static\/chunks\/[\w.~-]+\.(js|css)(?=")/g))];
}

test("scripts and styles come smaller to whoever takes Brotli, and are the same to all", async () => {
  const paths = await filesOfThePage();
  expect(paths.filter((path) => path.endsWith(".js")).length).toBeGreaterThan(5);
  expect(paths.filter((path) => path.endsWith(".css"))).toHaveLength(1);
  for (const path of paths) {
    const plain = await fetchFile(path, "identity");
    const gzip = await fetchFile(path, "gzip, deflate");
    const brotli = await fetchFile(path, "gzip, deflate, br, zstd");
    expect(brotli.headers["content-encoding"], path).toBe("br");
    expect(brotliDecompressSync(brotli.body).equals(plain.body), path).toBe(true);
    // Chrome compiles such a script beside the page's own work; without this line /home takes a sixth longer.
    if (path.endsWith(".js")) expect(plain.body.toString(), path).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
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

test("a file that is not there, and whoever refuses Brotli, gets none", async () => {
  const [path = ""] = await filesOfThePage();
  expect((await fetchFile(path, "br;q=0, gzip")).headers["content-encoding"]).toBe("gzip");
  const missing = await fetchFile("/_next/static/chunks/nowhere.js", "br");
  expect(missing.status).toBe(404);
  expect(missing.headers["content-encoding"]).toBeUndefined();
});
