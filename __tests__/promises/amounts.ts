import { agent, landlord, lease } from "@/__tests__/support/answers";
import { hostileAmounts } from "@/__tests__/support/hostile-amounts";
import { invited } from "@/__tests__/support/invited";
import { call, steps } from "@/__tests__/support/processes/call";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const unsavable = [
  "a\tb",
  "a\x1b[2Jb",
  "a\x85b",
  "a\u202eb",
  "a\u2066b",
  "\0",
  "a\0b",
  "Ada\0",
  "\ud800",
  "a\udfffb",
  "\ud83d ",
  "\udc00\ud800",
];

const badText: Promised = {
  number: 22,
  async prove({ app, sql, hashOf }) {
    const { token, id } = await invited();
    const before = await hashOf(id).then(async () => {
      for (const { call: name, answers } of steps) await call(app, name, { token, data: answers });
      return hashOf(id);
    });
    let refused = 0;
    for (const { call: name, answers } of steps)
      for (const field of Object.keys(answers))
        for (const text of unsavable) {
          const { status, body } = await call(app, name, { token, data: { ...answers, [field]: text } });
          same(status, 422, `status of ${JSON.stringify(text)} as ${field}`);
          expect(body.errors?.[field], `no message for ${field}`);
          refused += 1;
        }
    same(await hashOf(id), before, "hash of the row");

    const decomposed = "Jose\u0301";
    const most = "e\u0301".repeat(120);
    const data = { ...landlord, firstName: `  ${decomposed}\t`, lastName: `\n ${most} ` };
    same((await call(app, "submit-step-1", { token, data })).status, 200, "status of 120 letters written as 240");
    const [row] = await sql(`SELECT "firstName", "lastName" FROM applications WHERE id = $1`, [id]);
    same([row?.firstName, row?.lastName], ["José", most.normalize("NFC")], "stored names");
    const longer = await call(app, "submit-step-1", { token, data: { ...landlord, firstName: `${most}e` } });
    same(longer.status, 422, "status of 121 letters");
    return `${refused} values with NUL or half a character in ${steps.flatMap(({ answers }) => Object.keys(answers)).length} fields: ${refused} × 422; names are trimmed and NFC before 120 letters are counted`;
  },
};

const exact = ["0.01", "1", "450", "450.5", "450.50", "49999.99", "50000", "50000.00", "007", "1234.10"];

const amountsToTheCent: Promised = {
  number: 23,
  async prove({ app, sql }) {
    const { token, id } = await invited();
    await call(app, "submit-step-1", { token, data: landlord });
    await call(app, "submit-step-2", { token, data: agent });
    let refused = 0;
    let right = 0;
    for (const field of ["currentRent", "invoiceAmount", "loanAmount"] as const)
      for (const text of [...hostileAmounts, ...exact]) {
        const { status, body } = await call(app, "submit-step-3", { token, data: { ...lease, [field]: text } });
        if (status === 422) {
          expect(body.errors?.[field], `no message for ${field} of '${text}'`);
          expect(!exact.includes(text), `'${text}' was refused as ${field}`);
          refused += 1;
          continue;
        }
        same(status, 200, `status of '${text}' as ${field}`);
        const [row] = await sql<{ exact: boolean }>(
          `SELECT "${field}" = $2::numeric AS exact FROM applications WHERE id = $1`,
          [id, text.trim()],
        );
        expect(row?.exact && exact.includes(text), `'${text}' was taken as ${field}`);
        right += 1;
      }
    return `${hostileAmounts.length} hostile amounts in 3 fields: ${refused} × 422; ${exact.length} good ones in 3 fields: ${right} stored to the cent`;
  },
};

export const amounts = [badText, amountsToTheCent];
