import { expect } from "@playwright/test";
import { fillAll } from "@/__tests__/support/fill-in";
import { decide, invite, test } from "@/__tests__/support/journey";
import { fictitious, otherLender } from "@/__tests__/support/lender";
import { startOwnApp } from "@/__tests__/support/own-app";
import type { App } from "@/__tests__/support/processes/app";

let app: App;
test.beforeAll(async () => {
  app = await startOwnApp(otherLender);
});
test.afterAll(async () => {
  await app.end("SIGTERM");
});

test("with every BRAND_ setting set, no page mentions the fictitious lender, and each has one title", async ({
  page,
}) => {
  const { token, reference } = await invite("--mobile", "61412345678");
  const read = async (path: string) => {
    const answer = await page.goto(`${app.url}${path}`);
    const html = (await answer?.text()) ?? "";
    await page.locator("h1:visible").first().waitFor();
    for (const text of [html, await page.content(), await page.title()])
      expect(text.match(fictitious)?.[0], path).toBeUndefined();
    expect(html.match(/<title>/g), path).toHaveLength(1);
    await expect(page.locator("head > title"), path).toHaveCount(1);
  };
  for (const source of ["ia", "ba"]) await read(`/?token=${token}&source=${source}`);
  const logo = page.locator("header img");
  await expect(logo).toHaveAttribute("src", "/icon.svg");
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  for (const path of ["/icon.svg", "/favicon.ico"]) {
    const icon = await page.request.get(`${app.url}${path}`);
    expect([icon.status(), icon.headers()["content-type"]]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect(await icon.text()).toContain("<title>Banksia</title>");
  }
  const page401 = await (await page.request.get(`${app.url}/un-authorized`)).text();
  expect(page401.split("</head>")[0], "Next sends the icon's link after the head (htmlLimitedBots)").toContain(
    "icon.svg",
  );
  for (const path of ["/home", "/un-authorized", "/stop", "/nowhere"]) await read(path);
  await page.goto(`${app.url}/home`);
  await fillAll(page);
  for (const path of ["/home", "/review&submit"]) await read(path);
  await page.getByRole("button", { name: "Submit Application" }).click();
  await page.waitForURL("**/submit-success");
  for (const path of ["/", "/home", "/submit-success", "/receipt"]) await read(path);
  for (const status of ["in-review", "approved", "declined", "withdrawn", "paid"] as const) {
    await decide(reference, status);
    await read("/");
  }
});
