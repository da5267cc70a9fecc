import { agent, landlord } from "@/__tests__/support/answers";
import { next } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import { newDevice } from "@/__tests__/support/processes/browser";
import { call } from "@/__tests__/support/processes/call";
import { countries } from "@/lib/domain/phone";
import { readTypedPhone, typablePhone } from "@/lib/domain/typed-phone";
import { agentSchema } from "@/lib/schemas/agent";
import { check } from "@/lib/schemas/check";
import { expect, same } from "./support/expect";
import { everyWay, type Typed } from "./support/typed-numbers";
import type { Promised, World } from "./support/world";

/** The digits that the field holds in the end: the country follows what is typed, and the text stays as it is. */
function held({ text, selected, byKey }: Typed): string {
  if (!byKey) return readTypedPhone(typablePhone(text), selected).digits;
  let shown = "";
  let country: string | null = selected;
  let digits = "";
  for (const key of text) {
    shown = typablePhone(shown + key);
    ({ country, digits } = readTypedPhone(shown, country));
  }
  return digits;
}

async function refusedByServer({ app }: World): Promise<number> {
  const { token } = await invited();
  await call(app, "submit-step-1", { token, data: landlord });
  const tooLong = everyWay.filter(({ isRight, way }) => !isRight && way.includes("too many"));
  for (const typed of tooLong) {
    const data = { ...agent, contactNumber: held(typed) };
    const { status, body } = await call(app, "submit-step-2", { token, data });
    same(status, 422, `status of '${typed.text}'`);
    expect(body.errors?.contactNumber, `no message for '${typed.text}'`);
  }
  return tooLong.length;
}

const seen: [typed: string, shown: string, stored: string | RegExp][] = [
  ["1300 123 456", "1300 123 456", /office with its area code/],
  ["0412 345 678 999", "0412 345 678 999", /Please enter a valid contact number/],
  ["+49 1512 3456789", "1512 3456789", "4915123456789"],
  ["0011 44 7911 123456", "7911 123456", "447911123456"],
  ["٠٤١٢ ٣٤٥ ٦٧٨", "412 345 678", "61412345678"],
];

async function readInBrowser({ app, browser, sql }: World): Promise<number> {
  const device = await newDevice(await browser());
  try {
    for (const [typed, shown, stored] of seen) {
      const { token, id } = await invited();
      await call(app, "submit-step-1", { token, data: landlord });
      await call(app, "submit-step-2", { token, data: agent });
      const page = await device.newPage();
      await page.goto(`${app.url}/?token=${token}`);
      await page.goto(`${app.url}/home?step=2`);
      const field = page.getByLabel("Agent mobile", { exact: true });
      await page.getByLabel("Country code").selectOption("AU");
      await field.fill(typed);
      await field.blur();
      if (typeof stored === "string") {
        await next(page);
        await page.getByRole("heading", { name: "Lease & funds" }).waitFor();
        const [row] = await sql(`SELECT "contactNumber" FROM applications WHERE id = $1`, [id]);
        same(row?.contactNumber, stored, `stored number of '${typed}'`);
        await page.getByRole("button", { name: "Back", exact: true }).click();
      } else {
        await page.locator("#contactNumber-error").filter({ hasText: stored }).waitFor();
      }
      const spaced = (await field.inputValue()).replace(/\D+/g, " ");
      same(spaced.replaceAll(" ", ""), shown.replaceAll(" ", ""), `what the field shows of '${typed}'`);
      await page.close();
    }
  } finally {
    await device.close();
  }
  return seen.length;
}

const everyDigit: Promised = {
  number: 36,
  async prove(world) {
    same(everyWay.length, countries.length * 40, "ways to type a number");
    let stored = 0;
    let refused = 0;
    for (const typed of everyWay) {
      const what = `${typed.country.name}, ${typed.way}: '${typed.text}'`;
      const digits = held(typed);
      same(digits, typed.meant, what);
      const { data, errors } = check(agentSchema, { ...agent, contactNumber: digits });
      if (data) same(data.contactNumber, typed.meant, what);
      else expect(!typed.isRight && errors?.contactNumber, `${what} was refused: ${errors?.contactNumber}`);
      if (data) stored += 1;
      else refused += 1;
    }
    const byServer = await refusedByServer(world);
    const inBrowser = await readInBrowser(world);
    return `${countries.length} countries × 40 ways to type or paste a number: ${stored} stored as typed, ${refused} left as typed with the reason, 0 digits lost; ${byServer} too long ones sent past the form: ${byServer} × 422; ${inBrowser} of them in a browser`;
  },
};

export const numbers = [everyDigit];
