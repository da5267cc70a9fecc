import { readdir, readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { invite, test } from "@/__tests__/support/journey";
import { newerInScript, newerInStyles } from "@/__tests__/support/newer-in";
import { defaultBrand } from "@/lib/brand";

const chunks = ".next/static/chunks";

/** Spelled as something newer, and something else; or called only where it is there. */
const excused: Record<string, string> = {
  ".adopt": "the session's own",
  ".check": "of a rule of zod",
  ".escape": "of CSS, which is old",
  ".getMetadata": "libphonenumber-js's own",
  ".move": "Formik's own",
  ".navigate": "React, where there is a `navigation`",
  ".skipTransition": "React, on what startViewTransition has returned",
  ".startViewTransition": "React, inside try",
  ".use": "React's own",
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
  "text-wrap:balance": "lines of a heading are less even",
  "user-select:all": "a reference is selected by hand",
};

async function contentsOf(ending: string): Promise<[name: string, content: string][]> {
  const { polyfillFiles } = JSON.parse(await readFile(".next/build-manifest.json", "utf8"));
  const names = (await readdir(chunks)).filter((name) => name.endsWith(ending));
  // Only browsers without modules load the polyfills, which name what they bring.
  const loaded = names.filter((name) => !polyfillFiles.includes(`static/chunks/${name}`));
  return Promise.all(loaded.map(async (name) => [name, await readFile(`${chunks}/${name}`, "utf8")]));
}

test("no script needs a browser newer than iOS 15.4, Chrome 99 or Firefox 100", async () => {
  const scripts = await contentsOf(".js");
  expect(scripts.length).toBeGreaterThan(10);
  for (const [name, script] of scripts)
    expect(
      newerInScript(script).filter((newer) => !(newer in excused)),
      name,
    ).toEqual([]);
});

test("no style that an older browser drops is missed", async () => {
  const styles = (await contentsOf(".css")).flatMap(([, css]) => newerInStyles(css));
  expect(styles.filter((one) => !(one in doneWithout))).toEqual([]);
});

test("what is newer is found", () => {
  const script = `class A { static { this.b = /(?<=c)d/ } } AbortSignal.timeout(1); [].toSorted(); new URLPattern()`;
  expect(newerInScript(script)).toEqual([".toSorted", "AbortSignal.timeout", "URLPattern", "lookbehind", "static {}"]);
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
