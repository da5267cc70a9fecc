import type { Browser } from "@playwright/test";
import { fillAll, submit } from "@/__tests__/support/fill-in";
import { firstField, start, usable } from "./arrivals";
import { onPhone, type Phone, untilSeen } from "./phone";
import { rounds } from "./rounds";
import { compared, type Row } from "./table";
import type { World } from "./world";

const times = 3;

/** Counts what the page receives from now on as it comes over the wire: headers, bodies as encoded, redirects. */
async function counted({ devtools }: Phone): Promise<() => number> {
  const received = new Map<string, number>();
  const add = (id: string, bytes: number) => received.set(id, (received.get(id) ?? 0) + bytes);
  devtools.on("Network.requestWillBeSent", ({ redirectResponse }) => {
    if (redirectResponse) add("redirects", redirectResponse.encodedDataLength);
  });
  devtools.on("Network.responseReceived", ({ requestId, response }) => add(requestId, response.encodedDataLength));
  devtools.on("Network.dataReceived", ({ requestId, encodedDataLength }) => add(requestId, encodedDataLength));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    received.set(requestId, encodedDataLength),
  );
  await devtools.send("Network.enable");
  return () => [...received.values()].reduce((sum, bytes) => sum + bytes, 0);
}

const untilVisible = (browser: Browser, url: string, selector: string) =>
  onPhone(browser, async (phone) => {
    const soFar = await counted(phone);
    await phone.slow();
    await untilSeen(phone, url, selector);
    return soFar();
  });

const untilForm = (browser: Browser, link: string) =>
  onPhone(browser, async (phone) => {
    const soFar = await counted(phone);
    await phone.slow();
    await untilSeen(phone, link, start);
    await phone.page.waitForLoadState("networkidle");
    await phone.page.tap(start);
    await phone.page.waitForSelector(firstField);
    return soFar();
  });

const untilSuccess = (browser: Browser, link: string) =>
  onPhone(browser, async (phone) => {
    const { page } = phone;
    const soFar = await counted(phone);
    await page.goto(link);
    await page.waitForLoadState("networkidle");
    await page.tap(start);
    await fillAll(page);
    await submit(page);
    await page.waitForURL("**/submit-success");
    await page.waitForLoadState("networkidle");
    return soFar();
  });

export async function bytes({ browser, finished, page, newLink }: World): Promise<Row[]> {
  const taken = await rounds(times, {
    still: () => untilVisible(browser, page.url, start),
    visible: async () => untilVisible(browser, await newLink(), start),
    empty: () => untilVisible(browser, `${finished.url}/usable`, usable),
    form: async () => untilForm(browser, await newLink()),
    journey: async () => untilSuccess(browser, await newLink()),
  });
  const kilobytes = (values: number[]) => values.map((value) => value / 1000);
  return [
    {
      ...compared({
        unit: "kB",
        what: "bytes received from the link until the start button is visible",
        floor: "the landing as one static file, styles inlined",
        most: 1,
        ours: kilobytes(taken.visible),
        floors: kilobytes(taken.still),
      }),
      limit: "",
      verdict: "kept",
    },
    compared({
      unit: "kB",
      what: "… until the form's first field is usable, the landing read for a while",
      floor: "empty Next page until usable, with compile line and Brotli",
      most: 1.6,
      ours: kilobytes(taken.form),
      floors: kilobytes(taken.empty),
    }),
    // A whole cannot be asked to weigh less than its part, so this is a limit on what follows the first field.
    compared({
      unit: "kB",
      what: "… until the application is submitted",
      floor: "until the form's first field is usable",
      most: 1.25,
      ours: kilobytes(taken.journey),
      floors: kilobytes(taken.form),
    }),
  ];
}
