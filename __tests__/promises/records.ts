import fc from "fast-check";
import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call } from "@/__tests__/support/processes/call";
import { several } from "@/__tests__/support/processes/several";
import { runCommand } from "@/__tests__/support/run-command";
import { maximumAdvance } from "@/lib/domain/advance";
import { answers, savedAnswers } from "@/lib/domain/application";
import { writeCents } from "@/lib/domain/money";
import { expect, same } from "./support/expect";
import { promise, type World } from "./support/world";

const count = 100;
const inBrowser = 3;

const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).map((text) => `${text} "quoted" \\ é 漢`);
const written = fc.record({
  firstName: name,
  propertyAddress: name,
  agencyName: name,
  currentRent: fc.integer({ min: 1, max: 9_999_999_99 }).map(writeCents),
  invoiceAmount: fc.integer({ min: 0, max: 9_999_999_99 }).map(writeCents),
  loanAmount: fc.integer({ min: 1, max: maximumAdvance }).map(writeCents),
});

interface Submitted {
  id: string;
  token: string;
  reference: string;
  /** What its receipt is made of. */
  receipt: string;
}

/** All that an applicant is answered, but for the version: that is the row's, which this promise rewrites. */
async function receiptOf({ app }: World, token: string): Promise<string> {
  const { version, ...shown } = (await call(app, "verify-token", { token })).body.data ?? {};
  return JSON.stringify(shown);
}

async function submitted(world: World, own: object): Promise<Submitted> {
  const { token, id, reference } = await invited();
  const data = { ...landlord, ...agent, ...lease, ...consent, ...own };
  same((await call(world.app, "submit", { token, data })).status, 200, `status of ${JSON.stringify(own)}`);
  return { token, id, reference, receipt: await receiptOf(world, token) };
}

/** The receipt as a browser shows it. */
async function shownReceipt({ app, device }: World, token: string): Promise<string> {
  const page = await (await device()).newPage();
  await page.goto(`${app.url}/?token=${token}`);
  await page.goto(`${app.url}/receipt`);
  await page.getByText("Proof of this receipt").waitFor();
  return page.locator("main").innerHTML();
}

const guarded = ["applications", "consent_records", "events"];

/** As only the owner of the tables can, with every trigger off. */
function past({ sql }: World, statements: string): Promise<unknown> {
  const guards = (what: string) => guarded.map((table) => `ALTER TABLE ${table} ${what} TRIGGER USER; `).join("");
  return sql(`BEGIN; ${guards("DISABLE")}${statements}; ${guards("ENABLE")}COMMIT`);
}

/** What `npm run consent -- verify` says of these applications. */
async function complaints({ users }: World, all: Submitted[]): Promise<string[]> {
  const { out } = await runCommand("consent", ["verify"], { DATABASE_URL: users.app });
  expect(/ of \d+ consent records? verified\.\n$/.test(out), `the command printed ${out}`);
  const references = new Set(all.map(({ reference }) => reference));
  return out.split("\n").filter((line) => references.has(line.split("  ")[0] ?? ""));
}

const rewritten: Record<string, string> = { date: "'1999-01-01'", money: "1", source: "'zz'" };

promise(29, async (world) => {
  const drawn = fc.sample(written, { numRuns: count, seed: 29 });
  const all = await several(count, 6, (n) => submitted(world, drawn[n] ?? {}));
  const pages = await several(inBrowser, 1, (n) => shownReceipt(world, all[n]?.token ?? ""));
  same(await complaints(world, all), [], "complaints about records as they were written");

  const ids = `('${all.map(({ id }) => id).join("','")}')`;
  const others = savedAnswers.map((one) => `"${one}" = ${rewritten[answers[one].kind] ?? "'Eve'"}`);
  await past(world, `UPDATE applications SET ${others.join(", ")} WHERE id IN ${ids}`);
  for (const { token, receipt } of all) same(await receiptOf(world, token), receipt, "a receipt from the record alone");
  same(await several(inBrowser, 1, (n) => shownReceipt(world, all[n]?.token ?? "")), pages, "receipts in a browser");
  same((await complaints(world, all)).length, count, "applications that hold other answers than their record");

  await past(
    world,
    `UPDATE consent_records SET answers = jsonb_set(answers, '{loanAmount}', '"1.01"'), document = document || ' '
     WHERE "applicationId" IN ${ids}`,
  );
  const found = await complaints(world, all);
  for (const what of ["the text is not", "the answers are not"])
    same(found.filter((line) => line.includes(what)).length, count, `records of which '${what} …' is said`);
  // No other promise should find what was forged here.
  const its = (table: string) => `DELETE FROM ${table} WHERE "applicationId" IN ${ids}`;
  const tokens = `DELETE FROM link_tokens WHERE "linkId" IN (SELECT id FROM links WHERE "applicationId" IN ${ids})`;
  const everything = [
    tokens,
    its("consent_records"),
    its("events"),
    its("links"),
    `DELETE FROM applications WHERE id IN ${ids}`,
  ];
  await past(world, everything.join("; "));
  return `${count} applications with every answer rewritten past the triggers: ${count} receipts from the record alone, byte for byte as before, and ${inBrowser} pages in a browser; the command verified ${count} of ${count}, and named ${count} of ${count} once texts and answers were forged`;
});
