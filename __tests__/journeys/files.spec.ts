import { gzipSync } from "node:zlib";
import { type APIRequestContext, expect } from "@playwright/test";
import { test } from "@/__tests__/support/journey";

const thePage = async (request: APIRequestContext) => (await request.get("/")).text();

async function filesOfThePage(request: APIRequestContext): Promise<string[]> {
  return [...new Set((await thePage(request)).match(/\/_next\/static\/chunks\/[\w.~-]+\.js(?=")/g))];
}

test("styles are inlined once in the page, not in a file", async ({ request }) => {
  const page = await thePage(request);
  expect(page.split("--color-brand-strong:")).toHaveLength(2);
  expect(page.match(/<style\b/g)).toHaveLength(1);
  expect(page).not.toMatch(/\.css\b/);
});

test("no script that a page waits for is smaller than its headers", async ({ request }) => {
  for (const path of await filesOfThePage(request))
    expect(gzipSync(await (await request.get(path)).body()).length, path).toBeGreaterThan(1000);
});

test("scripts are cached permanently, and missing files are not cached", async ({ request }) => {
  const paths = await filesOfThePage(request);
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths)
    expect((await request.get(path)).headers(), path).toMatchObject({
      "content-type": "application/javascript; charset=UTF-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
  const missing = await request.get("/_next/static/chunks/nowhere.js");
  expect([missing.status(), missing.headers()["cache-control"]]).toEqual([404, expect.stringContaining("no-store")]);
});
