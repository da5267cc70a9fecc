import type { Page } from "@playwright/test";
import { fillAll, submit } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import { newDevice } from "@/__tests__/support/processes/browser";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

/** Every place in a browser that could still hold the link's URL. */
async function memoryOf(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const visited = await devtools.send("Page.getNavigationHistory");
  await devtools.detach();
  const inPage = await page.evaluate(() => [
    location.href,
    document.referrer,
    history.state,
    performance.getEntries().map((entry) => entry.name),
    document.cookie,
  ]);
  return JSON.stringify([visited.entries.map(({ url, title }) => [url, title]), inPage]);
}

const once: Promised = {
  number: 17,
  async prove({ app, browser }) {
    const { token } = await invited();
    const device = await newDevice(await browser());
    const urls: string[] = [];
    const referers: Promise<string>[] = [];
    device.on("request", (request) => {
      urls.push(request.url());
      referers.push(
        request.allHeaders().then(
          ({ referer = "" }) => referer,
          () => "",
        ),
      );
    });
    try {
      const page = await device.newPage();
      const look = async (where: string) =>
        expect(
          !(await memoryOf(page)).includes(token),
          `the browser remembers the token at ${where}: ${await memoryOf(page)}`,
        );
      await page.goto(`${app.url}/?token=${token}&source=ba&utm_source=sms`);
      await look("the landing");
      await page.getByRole("link", { name: "Start pre-approval" }).click();
      await fillAll(page);
      await look("the review");
      await page.reload();
      await submit(page);
      await page.waitForURL("**/submit-success");
      await look("the success page");
      await page.goto(`${app.url}/nowhere`);
      await look("an unknown page");
      const withToken = urls.filter((url) => url.includes(token));
      same(withToken.length, 1, "requests whose URL carries the token");
      const sent = (await Promise.all(referers)).filter((referer) => referer !== "");
      same(
        sent.filter((referer) => referer.includes(token)),
        [],
        "Referers that carry the token",
      );
      return `a whole journey of ${urls.length} requests: the token in 1 URL, in 0 of ${sent.length} Referers, in no history entry, history.state, performance entry or cookie a script can read`;
    } finally {
      await device.close();
    }
  },
};

export const tokenInBrowser = [once];
