import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import type { Browser, Locator, Request } from "@playwright/test";
import { fillAll, submit } from "@/__tests__/support/fill-in";
import { listen } from "@/__tests__/support/tcp-server";
import { type Figure, rounds } from "./figures";
import { onPhone, type Phone, timeFromTouchUntilVisible, timeUntilVisible } from "./phone";
import type { Bench } from "./world";

export const start = 'main a[href="/home"]';

/** Serves the landing page as one file: its markup and styles, without scripts and without a redirect. */
async function serveStatically(appUrl: string, link: string) {
  const textOf = async (url: string, headers = {}) => (await fetch(url, { headers })).text();
  const arrived = await fetch(link, { redirect: "manual" });
  const cookie = arrived.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const landing = await textOf(new URL("/", appUrl).href, { cookie });
  let html = landing.replace(/<script.*?<\/script>|<link[^>]*as="(?:script|style)"[^>]*>/gs, "");
  for (const [tag, href = ""] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"[^>]*>/g)) {
    const styles = await textOf(appUrl + href);
    html = html.replace(tag, () => `<style>${styles}</style>`);
  }
  if (!html.includes('href="/home"') || !html.includes("</style>")) throw new Error("That is not the landing page.");
  const body = gzipSync(html);
  const headers = { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" };
  const server = createServer(({ url }, response) => {
    if (url === "/") response.writeHead(200, headers).end(body);
    else response.writeHead(404).end();
  });
  return { url: `http://127.0.0.1:${await listen(server)}/`, end: () => server.close() };
}

export async function arrivals({ browser, app, newLink }: Bench): Promise<Figure[]> {
  const staticPage = await serveStatically(app.url, await newLink());
  const onSlowPhone = (measure: (phone: Phone) => Promise<number>) =>
    onPhone(browser, async (phone) => {
      await phone.slow();
      return measure(phone);
    });
  const intoForm = async (phone: Phone) => {
    await timeUntilVisible(phone, await newLink(), start);
    await phone.page.waitForLoadState("networkidle");
    return timeFromTouchUntilVisible(phone, start, 'input[name="firstName"]:enabled');
  };
  const fromLink = async () => onSlowPhone(async (phone) => timeUntilVisible(phone, await newLink(), start));
  /** Visits `first` on a fast line to fill the cache, and then measures `second`. */
  const again = (first: string, second: string) =>
    onPhone(browser, async (phone) => {
      await timeUntilVisible(phone, first, start);
      await phone.page.waitForLoadState("networkidle");
      await phone.slow();
      return timeUntilVisible(phone, second, start);
    });
  await fromLink();
  const taken = await rounds(9, {
    staticPage: () => onSlowPhone((phone) => timeUntilVisible(phone, staticPage.url, start)),
    link: fromLink,
    form: () => onSlowPhone(intoForm),
    staticPageAgain: () => again(staticPage.url, staticPage.url),
    linkAgain: async () => again(await newLink(), app.url),
  });
  staticPage.end();
  const shared = { baseline: "the landing as one static file, styles inlined, gzip", unit: "ms" };
  const returnVisit = "return visit without the link to start button visible";
  return [
    { ...shared, what: "link to start button visible", most: 1.45, ours: taken.link, theirs: taken.staticPage },
    { ...shared, what: returnVisit, most: 1.4, ours: taken.linkAgain, theirs: taken.staticPageAgain },
    { what: "tap on start to first field", most: 150, unit: "ms", ours: taken.form },
  ];
}

export async function bytes({ browser, baseline, newLink }: Bench): Promise<Figure[]> {
  const kilobytesOf = (walk: (phone: Phone) => Promise<unknown>) =>
    onPhone(browser, async (phone) => {
      const received: Promise<number>[] = [];
      const sizeOf = async (request: Request) => {
        const { responseHeadersSize, responseBodySize } = await request.sizes();
        return responseHeadersSize + responseBodySize;
      };
      phone.page.on("requestfinished", (request) => received.push(sizeOf(request)));
      await walk(phone);
      await phone.page.waitForLoadState("networkidle");
      // A request that finishes from now on would have no size once the page is closed.
      phone.page.removeAllListeners("requestfinished");
      return (await Promise.all(received)).reduce((sum, bytes) => sum + bytes, 0) / 1000;
    });
  const taken = await rounds(3, {
    empty: () => kilobytesOf((phone) => timeUntilVisible(phone, baseline.url, "main")),
    landing: () => kilobytesOf(async (phone) => timeUntilVisible(phone, await newLink(), start)),
    form: () =>
      kilobytesOf(async (phone) => {
        await timeUntilVisible(phone, await newLink(), start);
        await phone.page.waitForLoadState("networkidle");
        await phone.page.tap(start);
        await fillAll(phone.page);
      }),
  });
  const shared = { baseline: "an empty Next page", unit: "kB", theirs: taken.empty };
  return [
    { ...shared, what: "bytes of the landing page", ours: taken.landing },
    { ...shared, what: "bytes from the link to the review", ours: taken.form },
  ];
}

/** Reports each layout shift without recent input (CLS), in every document. */
function watchShifts() {
  const { shifted } = window as unknown as { shifted(value: number): void };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) shifted(entry.value);
  }).observe({ type: "layout-shift", buffered: true });
}

const byKey = async (field: Locator, value: string) => {
  if ((await field.getAttribute("type")) === "date") await field.fill(value);
  else await field.pressSequentially(value, { delay: 20 });
};

async function shiftsAt(browser: Browser, link: string, width: number): Promise<number> {
  let sum = 0;
  const walk = async ({ page, slow }: Phone) => {
    await page.exposeFunction("shifted", (value: number) => {
      sum += value;
    });
    await page.addInitScript(watchShifts);
    await slow();
    await page.goto(link);
    await page.tap(start);
    await fillAll(page, byKey);
    await submit(page);
    await page.tap('a[href="/receipt"]');
    await page.getByRole("heading", { name: "Your receipt" }).waitFor();
    await page.waitForTimeout(1000);
  };
  await onPhone(browser, walk, width);
  return sum;
}

export async function shifts({ browser, newLink }: Bench): Promise<Figure[]> {
  const widths = [320, 390, 768, 1440];
  const taken: number[] = [];
  for (const width of widths) taken.push(await shiftsAt(browser, await newLink(), width));
  const what = `layout shift from the link to the receipt at ${widths.join(", ")} px (CLS)`;
  return [{ what, most: 0, unit: "", ours: [Math.max(...taken)] }];
}
