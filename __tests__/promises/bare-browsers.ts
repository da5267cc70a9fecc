import type { Browser, BrowserContext, Page } from "@playwright/test";
import { fillStep, next } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import { newDevice } from "@/__tests__/support/processes/browser";
import { newAddress } from "@/__tests__/support/processes/call";
import { same } from "./support/expect";
import type { Promised, World } from "./support/world";

/** How a browser refuses storage, as scripts: a function would reach the browser with the names that the transpiler gives. */
const storages = {
  throws: `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("No", "SecurityError") } })`,
  "is null": `Object.defineProperty(window, "localStorage", { get: () => null })`,
  "takes nothing": `Storage.prototype.setItem = () => { throw new DOMException("Full", "QuotaExceededError") }`,
};
const noCookies = `Object.defineProperty(Document.prototype, "cookie", { get: () => "", set() {} })`;

/** Fills in and saves step 1 from a link; returns the last name that was stored. */
async function apply({ app, sql }: World, page: Page, note?: string): Promise<unknown> {
  const { token, id } = await invited();
  await page.goto(`${app.url}/?token=${token}&source=ba`);
  if (note) await page.getByText(note).waitFor();
  await page.getByRole("link", { name: "Start pre-approval" }).click();
  await fillStep(page, 1);
  await next(page);
  await page.getByRole("heading", { name: "Agency Details" }).waitFor();
  const [row] = await sql(`SELECT "lastName" FROM applications WHERE id = $1`, [id]);
  return row?.lastName;
}

async function onDevice(device: BrowserContext, visit: (page: Page) => Promise<void>): Promise<void> {
  await visit(await device.newPage()).finally(() => device.close());
}

/** A browser with cookies switched off: none is kept, and document.cookie is dead. */
async function withoutCookies(browser: Browser): Promise<BrowserContext> {
  const device = await newDevice(browser);
  await device.addInitScript({ content: noCookies });
  await device.route(/token=/, async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    const { "set-cookie": _, ...headers } = answer.headers();
    await device.clearCookies();
    await route.fulfill({ status: answer.status(), headers });
  });
  return device;
}

const bare: Promised = {
  number: 35,
  async prove(world) {
    const { app, browser } = world;
    const works: string[] = [];
    for (const [name, content] of Object.entries(storages)) {
      const device = await newDevice(await browser());
      await device.addInitScript({ content });
      await onDevice(device, async (page) => {
        const lastName = await apply(world, page, "This browser keeps nothing on this device.");
        same(lastName, "Nguyen", `what was saved where storage ${name}`);
        works.push(name);
      });
    }
    await onDevice(await newDevice(await browser()), async (page) => {
      await apply(world, page);
      await page.evaluate(() => localStorage.clear());
      await page.getByRole("button", { name: "Back", exact: true }).click();
      await next(page);
      await page.getByText("No token found").waitFor();
      await page.getByText("Open the link in your message again.").waitFor();
      same(await apply(world, page), "Nguyen", "what a link saves once storage was emptied");
    });
    const { token } = await invited();
    await onDevice(await withoutCookies(await browser()), async (page) => {
      await page.goto(`${app.url}/?token=${token}`);
      await page.waitForURL("**/un-authorized");
      await page.getByRole("heading", { name: "Cookies are switched off" }).waitFor();
      await page.getByText("switch cookies on for this site").waitFor();
    });
    const scriptless = await (await browser()).newContext({
      javaScriptEnabled: false,
      extraHTTPHeaders: { "x-forwarded-for": newAddress() },
    });
    await onDevice(scriptless, async (page) => {
      await page.goto(`${app.url}/?token=${token}`);
      await page.locator("noscript p").first().waitFor();
      await page.getByRole("link", { name: "Start pre-approval" }).waitFor();
      await page.goto(`${app.url}/home`);
      await page.locator("noscript p").first().waitFor();
    });
    return `storage that ${works.join(", ")}: a link's application is filled in and saved ${works.length} of ${works.length} times, and the page says that nothing is kept; emptied: 'No token found' and what to do, and the link works again; cookies off, scripts off: the page says so and what to do`;
  },
};

export const bareBrowsers = [bare];
