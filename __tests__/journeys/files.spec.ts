import { get, type IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect } from "@playwright/test";
import { test } from "@/__tests__/support/journey";

interface Received {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

function fetchFile(path: string, encoding: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = { headers: { "accept-encoding": encoding } };
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

test("styles are inlined once in the page, not in a file", async () => {
  const page = await thePage();
  expect(page.split("--color-brand-strong:")).toHaveLength(2);
  expect(page.match(/<style\b/g)).toHaveLength(1);
  expect(page).not.toMatch(/\.css\b/);
});

test("no script that a page waits for is smaller than its headers", async () => {
  for (const path of await filesOfThePage())
    expect((await fetchFile(path, "gzip")).body.length, path).toBeGreaterThan(1000);
});

test("scripts are cached permanently, and missing files are not cached", async () => {
  const paths = await filesOfThePage();
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) {
    const plain = await fetchFile(path, "identity");
    const gzip = await fetchFile(path, "gzip, deflate");
    expect(plain.headers["content-type"], path).toBe("application/javascript; charset=UTF-8");
    expect(plain.headers["cache-control"], path).toBe("public, max-age=31536000, immutable");
    const unzipped = gzip.headers["content-encoding"] === "gzip" ? gunzipSync(gzip.body) : gzip.body;
    expect(unzipped.equals(plain.body), path).toBe(true);
  }
  const missing = await fetchFile("/_next/static/chunks/nowhere.js", "gzip");
  expect([missing.status, missing.headers["cache-control"]]).toEqual([404, expect.stringContaining("no-store")]);
});
