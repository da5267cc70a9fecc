import type { Browser } from "@playwright/test";
import { invited } from "@/__tests__/support/invited";
import { like2G, onPhone, untilSeen } from "./phone";
import { rounds } from "./rounds";
import { compared, type Row } from "./table";
import type { World } from "./world";

const times = 9;
export const start = 'main a[href="/home"]';
export const firstField = 'input[name="firstName"]:enabled';
export const usable = 'input[data-usable="true"]';

/** A returning visitor: the token is in localStorage, the cache is empty. */
async function returning(browser: Browser, origin: string, path: string, selector: string): Promise<number> {
  const { token } = await invited();
  return onPhone(browser, async (phone) => {
    await phone.page.addInitScript((stored) => localStorage.setItem("auth_token", stored), token);
    await phone.slow();
    return untilSeen(phone, origin + path, selector);
  });
}

export async function arrivals({ browser, app, finished, page, newLink }: World): Promise<Row[]> {
  const seen = (url: string, selector: string, line?: typeof like2G) =>
    onPhone(browser, async (phone) => {
      await phone.slow(line);
      return untilSeen(phone, url, selector);
    });
  const emptyUsable = () => seen(`${finished.url}/usable`, usable);
  // Warm-up: a server's first request is slower.
  await seen(await newLink(), start);
  await returning(browser, app.url, "/home", firstField);
  await emptyUsable();
  const taken = await rounds(times, {
    still: () => seen(page.url, start),
    link: async () => seen(await newLink(), start),
    stillOn2G: () => seen(page.url, start, like2G),
    linkOn2G: async () => seen(await newLink(), start, like2G),
    emptyUsable,
    back: () => returning(browser, app.url, "/", start),
    home: () => returning(browser, app.url, "/home", firstField),
  });
  const unit = "ms";
  const still = "the landing as one static file, styles inlined";
  const empty = { unit, floor: "empty Next page usable, with compile line and Brotli", floors: taken.emptyUsable };
  return [
    compared({
      unit,
      what: "token link → landing's start button visible",
      floor: still,
      most: 1.45,
      ours: taken.link,
      floors: taken.still,
    }),
    compared({
      unit,
      what: "the same at 300 ms, 250 kbit/s and a sixth of the processor",
      floor: still,
      most: 1.6,
      ours: taken.linkOn2G,
      floors: taken.stillOn2G,
    }),
    compared({ ...empty, what: "return visit with a stored token → landing visible", most: 1, ours: taken.back }),
    compared({ ...empty, what: "/home opened directly, first field usable", most: 1.15, ours: taken.home }),
  ];
}
