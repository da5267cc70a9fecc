import type { Page } from "@playwright/test";
import { fillStep, next, submit } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import { newDevice } from "@/__tests__/support/processes/browser";
import { same } from "./support/expect";
import type { Promised } from "./support/world";

const labels = ["Full name", "Last name", "Email address", "Rental property address"];

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

/** Longer than the debounce after which a draft is stored. */
const typingPause = 1000;

async function typed(page: Page): Promise<string[]> {
  await field(page, "Full name").waitFor();
  return Promise.all(labels.map((label) => field(page, label).inputValue()));
}

const unsaved: Promised = {
  number: 10,
  async prove({ app, browser, sql }) {
    const { token, id } = await invited();
    const device = await newDevice(await browser());
    try {
      const first = await device.newPage();
      await first.goto(`${app.url}/?token=${token}&source=ba`);
      await first.goto(`${app.url}/home`);
      await fillStep(first, 1);
      await first.waitForTimeout(typingPause);
      const wanted = await typed(first);
      await first.reload();
      same(await typed(first), wanted, "what was typed, after a reload");

      const crashed = first.waitForEvent("crash");
      await first.goto("chrome://crash").catch(() => {});
      await crashed;
      await first.close();
      const page = await device.newPage();
      await page.clock.install();
      await page.goto(`${app.url}/home`);
      same(await typed(page), wanted, "what was typed, after a crash of the tab");

      await device.setOffline(true);
      await field(page, "Last name").fill("Offline-Smith");
      await page.waitForTimeout(typingPause);
      await next(page);
      await page.clock.fastForward("01:00:00");
      await page.waitForTimeout(typingPause);
      wanted[1] = "Offline-Smith";
      same(await typed(page), wanted, "what was typed, after an hour offline");
      // The save that failed offline is retried without a tap.
      await device.setOffline(false);
      await fillStep(page, 2);
      await next(page);
      await fillStep(page, 3);
      await next(page);
      await submit(page);
      await page.waitForURL("**/submit-success");
      const left = await page.evaluate(() => Object.keys(localStorage).filter((key) => !key.startsWith("auth_")));
      same(left, [], "what is left on the device after submission");
      const [row] = await sql(`SELECT "lastName" FROM applications WHERE id = $1`, [id]);
      same(row?.lastName, "Offline-Smith", "stored last name");
      return "4 unsaved values survive a reload, a crash of the tab and an hour offline, are saved by themselves once connected, and nothing of them is left on the device after submission";
    } finally {
      await device.close();
    }
  },
};

export const drafts = [unsaved];
