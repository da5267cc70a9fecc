import { consent } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { pastTheGuard } from "@/__tests__/support/past-the-guard";
import { call, fillIn, steps } from "@/__tests__/support/processes/call";
import { slowest, tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const consentsOf = `SELECT count(*)::int AS count FROM consent_records WHERE "applicationId" = $1`;
const submissionsOf = `SELECT count(*)::int AS count FROM events WHERE "applicationId" = $1 AND kind = 'submitted'`;

const atOnce: Promised = {
  number: 1,
  async prove({ app, sql }) {
    const { token, id, reference } = await invited();
    await fillIn(app, token);
    const answers = await several(200, 200, () => call(app, "submit-final", { token, data: consent }));
    same(tally(answers.map(({ status }) => status)), "200 × 200", "statuses of 200 submissions at once");
    const receipts = new Set(answers.map(({ text }) => text));
    same(receipts.size, 1, "different receipts");
    same(answers[0]?.body.data?.reference, reference, "reference");
    same(await sql(consentsOf, [id]), [{ count: 1 }], "consent records");
    same(await sql(submissionsOf, [id]), [{ count: 1 }], "submitted events");
    const most = slowest(answers.map(({ milliseconds }) => milliseconds));
    return `200 submissions at once: 1 record, 1 event, 200 × 200 with one receipt, slowest ${Math.round(most)} ms`;
  },
};

const aDayLater: Promised = {
  number: 2,
  async prove({ app, sql, hashOf }) {
    const { token, id } = await invited();
    await fillIn(app, token);
    await call(app, "submit-final", { token, data: consent });
    await sql(
      pastTheGuard(`UPDATE applications SET "submittedAt" = "submittedAt" - interval '1 day' WHERE id = '${id}'`),
    );
    const before = await hashOf(id);
    const [row] = await sql<{ submittedAt: Date }>(`SELECT "submittedAt" FROM applications WHERE id = $1`, [id]);
    const retry = await call(app, "submit-final", { token, data: { ...consent, authoriseAgent: false } });
    same(retry.status, 200, "status of the retry");
    same(retry.body.data?.submittedAt, row?.submittedAt.toISOString(), "submittedAt of the retry");
    for (const { call: name, answers } of steps) {
      const data = { ...answers, firstName: "Eve", agencyName: "Other", loanAmount: "1" };
      same((await call(app, name, { token, data })).status, 409, `status of ${name} after submission`);
    }
    same(await hashOf(id), before, "hash of the row");
    return "retry a day later: 200 with the first submittedAt; 3 saves after it: 409, row hash unchanged";
  },
};

const tooEarly: Promised = {
  number: 3,
  async prove({ app, sql }) {
    const partial = [0, 1, 2, 3, 4, 5, 6];
    for (const mask of partial) {
      const { token, id } = await invited();
      for (const [index, { call: name, answers }] of steps.entries())
        if (mask & (1 << index)) await call(app, name, { token, data: answers });
      const { status, body } = await call(app, "submit-final", { token, data: consent });
      same(status, 422, `status with steps ${mask.toString(2)}`);
      const missing = [1, 2, 3].find((step) => !(mask & (1 << (step - 1))));
      same(body.data?.step, missing, "first step that is named");
      same(await sql(consentsOf, [id]), [{ count: 0 }], "consent records");
      const [row] = await sql("SELECT status FROM applications WHERE id = $1", [id]);
      expect(row?.status === "draft", "it was submitted");
    }
    return `${partial.length} incomplete applications: ${partial.length} × 422 naming the first step, 0 submissions`;
  },
};

export const submissions = [atOnce, aDayLater, tooEarly];
