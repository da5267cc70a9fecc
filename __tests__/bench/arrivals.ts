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

/** Somebody who was here before: the token is stored, and nothing else is. */
async function returning(browser: Browser, origin: string, path: string, selector: string): Promise<number> {
  const { token } = await invited();
  return onPhone(browser, async (phone) => {
    await phone.page.addInitScript((stored) => localStorage.setItem("auth_token", stored), token);
    await phone.slow();
    return untilSeen(phone, origin + path, selector);
  });
}

/** A tap as soon as the start can be seen, whatever has not been loaded by then: 1 where it led to the form, 0 where it was lost. */
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

/** From the landing, read for a while, into the form: the milliseconds from the tap to the first field. */
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
  // Once, so that no round pays for what a server does at its first request.
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
