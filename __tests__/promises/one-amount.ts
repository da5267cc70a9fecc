import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import fc from "fast-check";
import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { newDevice } from "@/__tests__/support/processes/browser";
import { call, fillIn } from "@/__tests__/support/processes/call";
import { several } from "@/__tests__/support/processes/several";
import { defaultBrand } from "@/lib/brand";
import { loanAmountFor, maximumAdvance } from "@/lib/domain/advance";
import { centsOf, formatCents, writeCents } from "@/lib/domain/money";
import { type ApplicationRow, formatAnswers } from "@/lib/server/db/application-row";
import { expect, same } from "./support/expect";
import type { Promised, World } from "./support/world";

const count = 10_000;
const called = 200;
const inBrowser = 4;

interface Amounts {
  currentRent: string;
  invoiceAmount: string;
  loanAmount: string;
}

const cents = (min: number, ...most: number[]) =>
  fc.oneof(...most.map((max) => fc.integer({ min, max }))).map(writeCents);

/** Half of them as the form works them out, half as people change them. */
const amounts = fc
  .record({
    currentRent: cents(1, 100_00, 2_000_00, 9_999_999_99),
    invoiceAmount: cents(0, 0, 5_000_00, 100_000_00, 9_999_999_99),
    typed: fc.option(cents(1, 3_000_00, maximumAdvance)),
  })
  .map(({ typed, ...others }): Amounts => ({ ...others, loanAmount: typed ?? loanAmountFor(others) }));

/** The advance, and what of the invoice it leaves open, as they have to be named. */
function named({ loanAmount, invoiceAmount }: Amounts) {
  const open = centsOf(invoiceAmount) - centsOf(loanAmount);
  const on = (toTheCent: boolean) => {
    const advance = formatCents(centsOf(loanAmount), defaultBrand, toTheCent);
    return [advance, advance, open > 0 ? formatCents(open, defaultBrand, toTheCent || open % 100 !== 0) : null];
  };
  // Reviews show whole dollars (specification, section 5), the receipt cents.
  return { review: on(false), receipt: on(true) };
}

/** On the two reviews and the receipt. */
function shownOf(one: Amounts) {
  const { review, receipt } = named(one);
  return [review[0], review[0], receipt[0]];
}

/** What the lists of both reviews and the receipt say. */
async function rendered(all: Amounts[]): Promise<unknown[]> {
  const flags = ["--require", "tsx/cjs", "__tests__/promises/support/render-advances.tsx"];
  const child = spawn(process.execPath, flags, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  child.stdin.end(JSON.stringify(all));
  return JSON.parse(await text(child.stdout));
}

/** What the statement that submits would record of each. */
async function recorded({ sql }: World, all: Amounts[]): Promise<string[]> {
  const rows = all.map((one, n) => ({ ...one, reference: String(n).padStart(5, "0") }));
  const found = await sql<{ row: ApplicationRow }>(
    `SELECT to_json(a) AS row
     FROM jsonb_populate_recordset(
       (SELECT jsonb_populate_record(NULL::applications, $2::jsonb)), $1::jsonb) AS a ORDER BY a.reference`,
    [JSON.stringify(rows), JSON.stringify({ ...landlord, ...agent, ...lease })],
  );
  return found.map(({ row }) => formatAnswers(row).loanAmount);
}

/** Through the calls: the answers of the save, of the visit before and after the submission, and the record. */
async function answered({ app, sql }: World, one: Amounts): Promise<unknown[]> {
  const { token, id } = await invited();
  await fillIn(app, token);
  const saved = await call(app, "submit-step-3", { token, data: { ...lease, ...one } });
  same(saved.status, 200, `status of ${JSON.stringify(one)}`);
  const before = await call(app, "verify-token", { token });
  await call(app, "submit-final", { token, data: consent });
  const after = await call(app, "verify-token", { token });
  const [record] = await sql(
    `SELECT answers->>'loanAmount' AS advance FROM consent_records WHERE "applicationId" = $1`,
    [id],
  );
  return [...[saved, before, after].map(({ body }) => body.data?.loanAmount), record?.advance];
}

async function advanceOn(page: Page, url: string): Promise<string | null> {
  await page.goto(url);
  const rows = page.locator("dl > div", { hasText: "Rental Advance" });
  return rows.locator("strong").textContent();
}

async function shown({ app, browser }: World, one: Amounts): Promise<unknown[]> {
  const { token } = await invited();
  await fillIn(app, token);
  await call(app, "submit-step-3", { token, data: { ...lease, ...one } });
  const device = await newDevice(await browser());
  try {
    const page = await device.newPage();
    await page.goto(`${app.url}/?token=${token}`);
    const reviews = [await advanceOn(page, `${app.url}/home`), await advanceOn(page, `${app.url}/review&submit`)];
    await call(app, "submit-final", { token, data: consent });
    return [...reviews, await advanceOn(page, `${app.url}/receipt`)];
  } finally {
    await device.close();
  }
}

const oneAmount: Promised = {
  number: 31,
  async prove(world) {
    const random = fc.sample(amounts, { numRuns: count - 2, seed: 31 });
    const all: Amounts[] = [
      { currentRent: "400", invoiceAmount: "62000", loanAmount: "50000" },
      { currentRent: "300", invoiceAmount: "2450", loanAmount: "1000" },
      ...random,
    ];
    const open = all.filter((one) => named(one).review[2] !== null).length;
    expect(open > count / 10, "hardly any of the advances is below its invoice");
    same(await rendered(all), all.map(named), "what the reviews and the receipt say");
    same(
      await recorded(world, all),
      all.map(({ loanAmount }) => loanAmount),
      "what would be recorded",
    );
    await several(called, 6, async (n) => {
      const one = all[n] as Amounts;
      same(
        new Set(await answered(world, one)),
        new Set([one.loanAmount]),
        `answers and record of ${JSON.stringify(one)}`,
      );
    });
    for (const one of all.slice(0, inBrowser))
      same(await shown(world, one), shownOf(one), `screens of ${JSON.stringify(one)}`);
    return `${count} random answers, ${open} with an advance below the invoice: one advance in the rendered lists of reviews and receipt and in what is recorded, ${count} of ${count}, and the rest of the invoice named; ${called} of them through the calls to the record, ${inBrowser} on the three screens in a browser: the same`;
  },
};

export const oneAmounts = [oneAmount];
