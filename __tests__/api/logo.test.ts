import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { GET } from "@/app/logo/route";
import { currentSettings, readSettings, replaceSettings } from "@/lib/server/settings";

const xmlns = 'xmlns="http://www.w3.org/2000/svg"';
const validLogo = `<?xml version="1.0"?>\n<!-- ours -->\n<svg ${xmlns} viewBox="0 0 1 1"><path id="a" d="M0 0h1"/><use href="#a"/></svg>\n`;

const folder = temporaryFolder();

function fileOf(content: string): string {
  const file = join(folder, "logo.svg");
  writeFileSync(file, content);
  return file;
}

const originalSettings = currentSettings();
afterEach(() => replaceSettings(originalSettings));

async function icon(env: Record<string, string>) {
  replaceSettings(readSettings(env));
  const response = GET();
  return { type: response.headers.get("content-type"), svg: await response.text() };
}

test("the lender's logo file is served unchanged as the icon", async () => {
  const env = { BRAND_LOGO_FILE: fileOf(validLogo) };
  expect(await icon(env)).toEqual({ type: "image/svg+xml; charset=utf-8", svg: validLogo });
  expect(currentSettings().brand.hasLogo).toBe(true);
});

test.each([
  ["Banksia", ">B<"],
  ["élan", ">É<"],
  ["<Lend>", ">&#60;<"],
])("without a file the icon of %s has its initial", async (BRAND_NAME, initial) => {
  const { type, svg } = await icon({ BRAND_NAME });
  expect(type).toBe("image/svg+xml; charset=utf-8");
  expect(svg).toContain(initial);
  expect(currentSettings().brand.hasLogo).toBe(false);
});

test.each([
  ["no SVG", "<html></html>", /is not an SVG/],
  ["no namespace, which an image needs", validLogo.replace(xmlns, ""), /is not an SVG/],
  ["a missing end", validLogo.slice(0, -10), /is not an SVG/],
  ["a script", validLogo.replace("<path", "<script>1</script><path"), /contains scripts/],
  ["a handler", validLogo.replace("<path", '<path onload="1"'), /contains scripts/],
  ["an address elsewhere", validLogo.replace("#a", "https://elsewhere.example/a.svg"), /loads external content/],
  ["a style from elsewhere", validLogo.replace("<path", "<style>@import 'x'</style><path"), /loads external content/],
  ["more than 64 kB", validLogo.replace("<path", `<!--${"x".repeat(65_536)}--><path`), /larger than 64 kB/],
])("a file with %s stops the start, and the message names the setting", (_, content, message) => {
  const read = () => readSettings({ BRAND_LOGO_FILE: fileOf(content) });
  expect(read).toThrow(/BRAND_LOGO_FILE: /);
  expect(read).toThrow(message);
});

test("a missing logo file prevents startup", () => {
  const missing = { BRAND_LOGO_FILE: join(folder, "none.svg") };
  expect(() => readSettings(missing)).toThrow(/BRAND_LOGO_FILE: is not a readable file/);
});
