import { readdir, readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { invite, test } from "@/__tests__/support/journey";
import { defaultBrand } from "@/lib/brand";

const chunks = ".next/static/chunks";

/** What iOS 15.4, Chrome 99 or Firefox 100 lack: class static blocks, lookbehind, and what came to the library since. */
const newer =
  /\bstatic\s*\{|\(\?<[=!]|AbortSignal\.(?:timeout|any)|\.(?:toSorted|toReversed|toSpliced|withResolvers|groupBy|canParse|throwIfAborted|fromAsync)\(/;

test("no script needs a browser newer than iOS 15.4, Chrome 99 or Firefox 100", async () => {
  const { polyfillFiles } = JSON.parse(await readFile(".next/build-manifest.json", "utf8"));
  const names = (await readdir(chunks)).filter((name) => name.endsWith(".js"));
  // Only browsers without modules load the polyfills, which name what they bring.
  const scripts = names.filter((name) => !polyfillFiles.includes(`static/chunks/${name}`));
  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts)
    expect(newer.exec(await readFile(`${chunks}/${name}`, "utf8"))?.[0], name).toBeUndefined();
});

test("a browser that is older still is told so on every page, with the number to call", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "structuredClone"));
  const { link } = await invite("--mobile", "61412345678");
  for (const address of [link, "/home", "/un-authorized"]) {
    await page.goto(address);
    const told = page.getByText("This browser is too old for your application.");
    await expect(told).toBeVisible();
    await expect(told).toContainText(`call us: ${defaultBrand.supportPhone}`);
  }
});

test("a browser of today is told nothing of its age", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await expect(page.getByRole("link", { name: "Get started" })).toBeVisible();
  await expect(page.getByText(/too old/)).toBeHidden();
});
