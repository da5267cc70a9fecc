import type { Browser } from "@playwright/test";
import { invited } from "@/__tests__/support/invited";
import { onPhone, seenAt, untilSeen } from "./phone";
import { rounds } from "./rounds";
import { bounded, compared, type Row } from "./table";
import type { World } from "./world";

const times = 7;
const start = 'main a[href="/home"]';
const firstField = 'input[name="firstName"]:enabled';
const usable = 'input[data-usable="true"]';

/** A returning visitor: the token is in localStorage, the cache is empty. */
async function returning(browser: Browser, origin: string, path: string, selector: string): Promise<number> {
  const { token } = await invited();
  return onPhone(browser, async (phone) => {
    await phone.page.addInitScript((stored) => localStorage.setItem("auth_token", stored), token);
    await phone.slow();
    return untilSeen(phone, origin + path, selector);
  });
}

/** Taps the start button as soon as it is visible, before all scripts have loaded: 1 if the form opens, 0 if the tap is lost. */
async function tappedAtOnce(browser: Browser, link: string): Promise<number> {
  return onPhone(browser, async (phone) => {
    await phone.slow();
    await untilSeen(phone, link, start);
    await phone.page.tap(start, { noWaitAfter: true });
    return phone.page.waitForSelector(firstField).then(
      () => 1,
      () => 0,
    );
  });
}

/** Milliseconds from the tap on the landing to the form's first field, after some time for prefetching. */
async function intoForm(browser: Browser, link: string): Promise<number> {
  return onPhone(browser, async (phone) => {
    const { page } = phone;
    await phone.slow();
    await untilSeen(phone, link, start);
    await page.waitForLoadState("networkidle");
    await page.evaluate(
      ([from, to]) => {
        const noted = window as unknown as { tappedAt: number; seenAt?: number };
        noted.seenAt = undefined;
        const look = () => {
          if (document.querySelector(to)?.getClientRects().length) noted.seenAt = performance.now();
          else requestAnimationFrame(look);
        };
        document.querySelector(from)?.addEventListener(
          "click",
          () => {
            noted.tappedAt = performance.now();
            requestAnimationFrame(look);
          },
          { capture: true },
        );
      },
      [start, firstField] as const,
    );
    await page.tap(start);
    const seen = await seenAt(page);
    return seen - (await page.evaluate(() => (window as unknown as { tappedAt: number }).tappedAt));
  });
}

export async function arrivals({ browser, app, empty, page, newLink }: World): Promise<Row[]> {
  const seen = (url: string, selector: string) =>
    onPhone(browser, async (phone) => {
      await phone.slow();
      return untilSeen(phone, url, selector);
    });
  const emptyUsable = () => seen(`${empty.url}/usable`, usable);
  // Warm-up: a server's first request is slower.
  await seen(await newLink(), start);
  await returning(browser, app.url, "/home", firstField);
  await emptyUsable();
  const taken = await rounds(times, {
    still: () => seen(page.url, start),
    link: async () => seen(await newLink(), start),
    emptyUsable,
    back: () => returning(browser, app.url, "/", start),
    home: () => returning(browser, app.url, "/home", firstField),
    tapped: async () => tappedAtOnce(browser, await newLink()),
    into: async () => intoForm(browser, await newLink()),
  });
  const inMilliseconds = { unit: "ms" };
  const arrived = taken.tapped.filter((led) => led === 1).length;
  const against = { ...inMilliseconds, floor: "empty Next page usable", floors: taken.emptyUsable };
  return [
    compared({
      ...inMilliseconds,
      what: "token link → landing's start button visible",
      floor: "static HTML page",
      most: 2.1,
      ours: taken.link,
      floors: taken.still,
    }),
    {
      what: "token link → landing usable (start tapped as soon as it was visible)",
      floor: "its being visible",
      limit: "1.0 ×",
      measured: `${arrived} of ${times} taps led to the first field`,
      spread: "",
      verdict: arrived === times ? "kept" : "missed",
    },
    compared({ ...against, what: "return visit with a stored token → landing visible", most: 1.15, ours: taken.back }),
    bounded({
      ...inMilliseconds,
      what: "/home first field visible and editable, coming from the landing",
      floor: "a tap on the landing",
      most: 150,
      ours: taken.into,
    }),
    compared({ ...against, what: "/home opened directly, first field usable", most: 1.25, ours: taken.home }),
  ];
}
