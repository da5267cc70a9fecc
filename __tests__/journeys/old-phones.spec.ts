import { readdir, readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { invite, test } from "@/__tests__/support/journey";
import { newerInScript, newerInStyles } from "@/__tests__/support/newer-in";
import { defaultBrand } from "@/lib/brand";

const chunks = ".next/static/chunks";

/** Spelled as something newer, and something else; or called only where it is there. */
const excused: Record<string, string> = {
  ".escape": "of CSS, which is old",
  ".move": "Formik's own",
  ".skipTransition": "React, on what startViewTransition has returned",
  ".startViewTransition": "React, inside try",
  ".use": "React's own",
  "URL.canParse": "zod, only where it is there, and the form asks for no URL",
};

/** What the page looks like without it. */
const doneWithout: Record<string, string> = {
  "@page": "paper has the browser's margins",
  "@property": "Tailwind sets the same first values by a rule",
  "@starting-style": "a mark does not fade in",
  "a length in dvh": "a footer below a short page stands higher up",
  "a length in lh": "an empty date is as high as its box",
  "grid-template-columns:subgrid": "in a review, an answer stands below its label",
  "overflow:clip": "corners of a field's background are square",
  "text-decoration:dotted": "no abbreviations are on any page",
  "text-wrap": "lines of a paragraph are less even",
};

async function contentsOf(ending: string): Promise<string[]> {
  const { polyfillFiles } = JSON.parse(await readFile(".next/build-manifest.json", "utf8"));
  const names = (await readdir(chunks)).filter((name) => name.endsWith(ending));
  // Only browsers without modules load the polyfills, which name what they bring.
  const loaded = names.filter((name) => !polyfillFiles.includes(`static/chunks/${name}`));
  return Promise.all(loaded.map((name) => readFile(`${chunks}/${name}`, "utf8")));
}

const each = (found: string[]) => [...new Set(found)].sort();

test("no script needs a browser newer than iOS 15.4, Chrome 99 or Firefox 100", async () => {
  const scripts = await contentsOf(".js");
  expect(scripts.length).toBeGreaterThan(10);
  expect(each(scripts.flatMap(newerInScript))).toEqual(Object.keys(excused));
});

test("every style that an older browser drops can be done without", async () => {
  expect(each((await contentsOf(".css")).flatMap(newerInStyles))).toEqual(Object.keys(doneWithout));
});

test("what is newer is found", () => {
  const newer = {
    "static {}": "class A { static { b() } }",
    "a field with more than a name": "class A { b = (c) }",
    "a parameter with its function's name": "(function a({ b: [a] }) {})",
    lookbehind: "/(?<=a)b/",
    "a newer RegExp": "/[a--b]/v",
    "AbortSignal.timeout": "self.AbortSignal.timeout(1)",
    ".toSorted": "[].toSorted()",
    URLPattern: "new URLPattern()",
  };
  for (const [name, script] of Object.entries(newer)) expect(newerInScript(script)).toEqual([name]);
  const old = "class A { static b = c.d; e = 1 } (function f({ g: [h] }) { i.URLPattern = { URLPattern: 1 } })";
  expect(newerInScript(old)).toEqual([]);
  expect(newerInStyles(`@scope{a:has(b){translate:1px;height:1dvh;overflow:clip}}`)).toEqual([
    ":has",
    "@scope",
    "a length in dvh",
    "overflow:clip",
    "translate",
  ]);
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
