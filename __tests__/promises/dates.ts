import { agent, landlord, lease } from "@/__tests__/support/answers";
import { next } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { newDevice } from "@/__tests__/support/processes/browser";
import { call } from "@/__tests__/support/processes/call";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const zones = ["UTC", "Australia/Sydney", "America/Los_Angeles"];
/** The days on which summer time begins in Sydney and in Los Angeles. */
const wanted = { leaseStartDate: "2026-10-04", leaseEndDate: "2027-03-14" };
const shown = ["October 4, 2026", "March 14, 2027"];

const calendarDays: Promised = {
  number: 24,
  async prove({ start, browser, sql }) {
    let journeys = 0;
    for (const server of zones) {
      const app = await start({ settings: { TZ: server } });
      for (const zone of zones) {
        const { token, id } = await invited();
        await call(app, "submit-step-1", { token, data: landlord });
        await call(app, "submit-step-2", { token, data: agent });
        const device = await newDevice(await browser(), zone);
        try {
          const page = await device.newPage();
          await page.goto(`${app.url}/?token=${token}`);
          await page.goto(`${app.url}/home`);
          const field = (label: string) => page.getByLabel(label, { exact: true });
          await field("Lease start date").fill(wanted.leaseStartDate);
          await field("Lease end date").fill(wanted.leaseEndDate);
          await field("Current weekly rent").fill("300");
          await field("Repair costs").fill("2450");
          await next(page);
          for (const date of shown) await page.getByText(date).first().waitFor({ timeout: 10_000 });
          await page.getByRole("button", { name: "Back", exact: true }).click();
          const back = [await field("Lease start date").inputValue(), await field("Lease end date").inputValue()];
          same(back, Object.values(wanted), `dates on the screen (server ${server}, browser ${zone})`);
        } finally {
          await device.close();
        }
        const stored = await sql(
          `SELECT "leaseStartDate"::text, "leaseEndDate"::text FROM applications WHERE id = $1`,
          [id],
        );
        same(stored, [wanted], `stored dates (server ${server}, browser ${zone})`);
        const { leaseStartDate, leaseEndDate } = (await call(app, "verify-token", { token })).body.data ?? {};
        same({ leaseStartDate, leaseEndDate }, wanted, "dates in the answer");
        journeys += 1;
      }
      await app.end("SIGTERM");
    }
    return `${journeys} journeys (server and browser each in ${zones.join(", ")}): dates unchanged on screen, in the row and in the answer; ${await refusals(await start())} unreal or reversed dates × 422`;
  },
};

async function refusals(app: App): Promise<number> {
  const { token } = await invited();
  const wrong = [
    { leaseStartDate: "2026-02-30" },
    { leaseEndDate: "2027-02-29" },
    { leaseStartDate: "2026-13-01" },
    { leaseStartDate: "2026-1-1" },
    { leaseStartDate: "2026-01-01T00:00:00Z" },
    { leaseStartDate: "2027-02-28" },
    { leaseEndDate: "2026-02-28" },
  ];
  for (const dates of wrong) {
    const { status, body } = await call(app, "submit-step-3", { token, data: { ...lease, ...dates } });
    same(status, 422, `status of ${JSON.stringify(dates)}`);
    expect(
      Object.keys(body.errors ?? {}).some((name) => name.startsWith("lease")),
      "no message at a date",
    );
  }
  await app.end("SIGTERM");
  return wrong.length;
}

export const dates = [calendarDays];
