import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn, newAddress, steps } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { startDroppingProxy } from "./support/dropping-proxy";
import { expect, same } from "./support/expect";
import { lateAnswer } from "./support/late-answer";
import type { Promised } from "./support/world";

/** Answers with the same mark in every text, so that a mixture of two saves is visible. */
function marked(mark: string) {
  return [
    { ...landlord, firstName: mark, lastName: mark, propertyAddress: mark },
    { ...agent, agencyName: mark, managerFirstName: mark, managerLastName: mark },
    { ...lease, approval: mark, currentRent: mark.replace(/\D/g, ""), invoiceAmount: mark.replace(/\D/g, "") },
  ];
}

const twoTabs: Promised = {
  number: 4,
  async prove(world) {
    const { app, sql } = world;
    const { token, id } = await invited();
    const acknowledged: Set<string>[] = [new Set(), new Set(), new Set()];
    const statuses: number[] = [];
    const tab = async (first: number) => {
      for (let n = first; n < 500; n += 2) {
        const mark = `${first ? "right" : "left"} ${1000 + n}`;
        const step = n % 3;
        const name = steps[step]?.call ?? "submit-step-1";
        const { status } = await call(app, name, { token, data: marked(mark)[step] });
        statuses.push(status);
        if (status === 200) acknowledged[step]?.add(mark);
      }
    };
    await Promise.all([tab(0), tab(1)]);
    same(tally(statuses), "500 × 200", "statuses");
    const [row] = await sql<Record<string, string>>(
      `SELECT *, "currentRent"::int::text AS rent, "invoiceAmount"::int::text AS invoice FROM applications WHERE id = $1`,
      [id],
    );
    expect(row, "the row is gone");
    const found = [
      [row.firstName, row.lastName, row.propertyAddress],
      [row.agencyName, row.managerFirstName, row.managerLastName],
      [row.approval],
    ];
    for (const [step, marks] of found.entries()) {
      same(new Set(marks).size, 1, `different saves within step ${step + 1}`);
      expect(acknowledged[step]?.has(marks[0] ?? ""), `step ${step + 1} is no save that was acknowledged`);
    }
    same(
      [row.rent, row.invoice],
      [row.approval, row.approval].map((mark) => mark?.replace(/\D/g, "")),
      "step 3",
    );
    const kept = await lateAnswer(world);
    return `500 interleaved saves of two tabs: 500 × 200, each step of the row one acknowledged save; ${kept}`;
  },
};

const droppedAnswers: Promised = {
  number: 5,
  async prove({ app, sql, hashOf }) {
    const proxy = await startDroppingProxy(app.port);
    const landlords = await several(100, 10, () => invited());
    const before = await sql("SELECT count(*)::int AS count FROM applications");
    let answered = 0;
    await several(100, 10, async (n) => {
      const token = landlords[n]?.token;
      const data = { ...landlord, firstName: `Ada ${n}` };
      await call(proxy, "submit-step-1", { token, data }).then(
        () => (answered += 1),
        () => undefined,
      );
    });
    same(answered, 0, "answers that came through although each was to be dropped");
    const saved = `SELECT count(*)::int AS count FROM applications WHERE "landlordSavedAt" IS NOT NULL AND id = ANY($1)`;
    const ids = landlords.map(({ id }) => id);
    const [silently] = await sql<{ count: number }>(saved, [ids]);
    await several(100, 10, async (n) => {
      const token = landlords[n]?.token;
      const { status } = await call(app, "submit-step-1", { token, data: { ...landlord, firstName: `Ada ${n}` } });
      same(status, 200, "status of a retry");
    });
    const rows = await sql<{ id: string; firstName: string }>(
      `SELECT id, "firstName" FROM applications WHERE id = ANY($1)`,
      [ids],
    );
    const right = rows.filter(({ id, firstName }) => firstName === `Ada ${ids.indexOf(id)}`).length;
    same(right, 100, "right rows");
    same(await sql("SELECT count(*)::int AS count FROM applications"), before, "applications");

    const { token, id } = landlords[0] ?? { token: "", id: "" };
    await fillIn(app, token);
    await call(proxy, "submit-final", { token, data: consent }, { "x-forwarded-for": newAddress() }).catch(() => {});
    const hash = await hashOf(id);
    const retry = await call(app, "submit-final", { token, data: consent });
    await proxy.close();
    same([retry.status, await hashOf(id)], [200, hash], "retry of a submission whose answer was dropped");
    const records = await sql(`SELECT 1 FROM consent_records WHERE "applicationId" = $1`, [id]);
    same(records.length, 1, "consent records");
    return `100 answers dropped (${silently?.count} saves had gone in unheard), 100 retried: 100 right rows, 0 duplicates; the same for a submission`;
  },
};

export const saves = [twoTabs, droppedAnswers];
