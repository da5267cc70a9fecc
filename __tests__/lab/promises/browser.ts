import type { Page } from "@playwright/test";
import { same } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import { agent, landlord, lease } from "@/__tests__/support/answers";
import { back, fillStep, next, submit } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

/** In milliseconds, longer than the debounce after which a draft is stored. */
const typingPause = 1000;

async function typed(page: Page): Promise<string[]> {
  await field(page, "Full name").waitFor();
  const labels = ["Full name", "Last name", "Email address", "Rental property address"];
  return Promise.all(labels.map((label) => field(page, label).inputValue()));
}

promise(10, async ({ app, device, sql }) => {
  const { token, id } = await invited();
  const phone = await device();
  const first = await phone.newPage();
  await first.goto(`${app.url}/?token=${token}&source=ba`);
  await first.goto(`${app.url}/home`);
  await fillStep(first, 1);
  await first.waitForTimeout(typingPause);
  const expected = await typed(first);
  await first.reload();
  same(await typed(first), expected, "what was typed, after a reload");

  const crashed = first.waitForEvent("crash");
  await first.goto("chrome://crash").catch(() => {});
  await crashed;
  await first.close();
  const page = await phone.newPage();
  await page.clock.install();
  await page.goto(`${app.url}/home`);
  same(await typed(page), expected, "what was typed, after a crash of the tab");

  await phone.setOffline(true);
  await field(page, "Last name").fill("Offline-Smith");
  await page.waitForTimeout(typingPause);
  await next(page);
  await page.clock.fastForward("01:00:00");
  await page.waitForTimeout(typingPause);
  expected[1] = "Offline-Smith";
  same(await typed(page), expected, "what was typed, after an hour offline");
  // The save that failed offline is retried without a tap.
  await phone.setOffline(false);
  for (const step of [2, 3] as const) {
    await fillStep(page, step);
    await next(page);
  }
  await submit(page);
  await page.waitForURL("**/submit-success");
  const leftKeys = await page.evaluate(() => Object.keys(localStorage).filter((key) => !key.startsWith("auth_")));
  same(leftKeys, [], "what is left on the device after submission");
  const [row] = await sql(`SELECT "lastName" FROM applications WHERE id = $1`, [id]);
  same(row?.lastName, "Offline-Smith", "stored last name");
  return "4 unsaved values survive a reload, a crash of the tab and an hour offline, are saved by themselves once connected, and nothing of them is left on the device after submission";
});

const zones = ["UTC", "Australia/Sydney", "America/Los_Angeles"];
/** The days on which daylight saving time begins, in Sydney and in Los Angeles. */
const leaseDates = { leaseStartDate: "2026-10-04", leaseEndDate: "2027-03-14" };
const shownDates = ["October 4, 2026", "March 14, 2027"];
const wrongDates = [
  ...["2026-02-30", "2026-13-01", "2026-1-1", "2026-01-01T00:00:00Z", "2027-02-28"].map((leaseStartDate) => ({
    leaseStartDate,
  })),
  ...["2027-02-29", "2026-02-28"].map((leaseEndDate) => ({ leaseEndDate })),
];

async function refuseWrongDates(app: App): Promise<void> {
  const { token } = await invited();
  for (const dates of wrongDates) {
    const { status, body } = await call(app, "submit-step-3", { token, data: { ...lease, ...dates } });
    const isNamed = Object.keys(body.errors ?? {}).some((name) => name.startsWith("lease"));
    same([status, isNamed], [422, true], `status of ${JSON.stringify(dates)}, and whether a date is named`);
  }
}

promise(24, async ({ app, start, device, sql }) => {
  let journeys = 0;
  for (const server of zones) {
    const inZone = await start({ settings: { TZ: server } });
    for (const zone of zones) {
      const what = `(server ${server}, browser ${zone})`;
      const { token, id } = await invited();
      await call(inZone, "submit-step-1", { token, data: landlord });
      await call(inZone, "submit-step-2", { token, data: agent });
      const page = await (await device(zone)).newPage();
      await page.goto(`${inZone.url}/?token=${token}`);
      await page.goto(`${inZone.url}/home`);
      await field(page, "Lease start date").fill(leaseDates.leaseStartDate);
      await field(page, "Lease end date").fill(leaseDates.leaseEndDate);
      await field(page, "Current weekly rent").fill("300");
      await field(page, "Repair costs").fill("2450");
      await next(page);
      for (const date of shownDates) await page.getByText(date).first().waitFor({ timeout: 10_000 });
      await back(page);
      const values = ["Lease start date", "Lease end date"].map((label) => field(page, label).inputValue());
      same(await Promise.all(values), Object.values(leaseDates), `dates on the screen ${what}`);
      const columns = `"leaseStartDate"::text, "leaseEndDate"::text`;
      same(await sql(`SELECT ${columns} FROM applications WHERE id = $1`, [id]), [leaseDates], `stored dates ${what}`);
      const { leaseStartDate, leaseEndDate } = (await call(inZone, "verify-token", { token })).body.data ?? {};
      same({ leaseStartDate, leaseEndDate }, leaseDates, `dates in the response ${what}`);
      journeys += 1;
    }
  }
  await refuseWrongDates(app);
  return `${journeys} journeys (server and browser each in ${zones.join(", ")}): dates unchanged on screen, in the row and in the answer; ${wrongDates.length} unreal or reversed dates × 422`;
});
