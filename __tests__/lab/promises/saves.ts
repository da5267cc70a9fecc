import { connect } from "node:net";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn, newAddress, steps } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { join, startTcpServer } from "@/__tests__/support/tcp-server";

/** Answers that carry the same mark in several fields, so that a mixture of two saves is visible. */
function marked(mark: string) {
  const digits = mark.replace(/\D/g, "");
  return [
    { ...landlord, firstName: mark, lastName: mark, propertyAddress: mark },
    { ...agent, agencyName: mark, managerFirstName: mark, managerLastName: mark },
    { ...lease, approval: mark, currentRent: digits, invoiceAmount: digits },
  ];
}

promise(4, async ({ app, sql }) => {
  const { token, id } = await invited();
  const acknowledged: Set<string>[] = steps.map(() => new Set());
  const statuses: number[] = [];
  const tab = async (first: number) => {
    for (let n = first; n < 500; n += 2) {
      const mark = `${first ? "right" : "left"} ${1000 + n}`;
      const step = n % 3;
      const { status } = await call(app, steps[step]?.call ?? "submit", { token, data: marked(mark)[step] });
      statuses.push(status);
      if (status === 200) acknowledged[step]?.add(mark);
    }
  };
  await Promise.all([tab(0), tab(1)]);
  same(tally(statuses), "500 × 200", "statuses");
  const [row = {}] = await sql(
    `SELECT *, "currentRent"::int::text AS rent, "invoiceAmount"::int::text AS invoice FROM applications WHERE id = $1`,
    [id],
  );
  const savedTexts = [
    [row.firstName, row.lastName, row.propertyAddress],
    [row.agencyName, row.managerFirstName, row.managerLastName],
    [row.approval],
  ];
  for (const [step, marks] of savedTexts.entries()) {
    same(new Set(marks).size, 1, `different saves within step ${step + 1}`);
    expect(acknowledged[step]?.has(marks[0]), `step ${step + 1} is not a save that was acknowledged`);
  }
  const digits = row.approval.replace(/\D/g, "");
  same([row.rent, row.invoice], [digits, digits], "amounts of step 3");
  return `500 interleaved saves of two tabs: 500 × 200, each step of the row one acknowledged save`;
});

/** Forwards each request but closes the connection when the response begins: the save happens, but its response is lost. */
async function startDroppingProxy({ app, after }: World) {
  const { port, stop } = await startTcpServer((client) => {
    const onward = connect(app.port, "127.0.0.1");
    onward.once("data", () => onward.destroy());
    join(client, onward);
  });
  after(stop);
  return { url: `http://127.0.0.1:${port}` };
}

promise(5, async (world) => {
  const { app, sql } = world;
  const proxy = await startDroppingProxy(world);
  const landlords = await runConcurrently(100, 10, () => invited());
  const ids = landlords.map(({ id }) => id);
  const save = (target: typeof proxy, n: number) =>
    call(target, "submit-step-1", { token: landlords[n]?.token, data: { ...landlord, firstName: `Ada ${n}` } });
  const count = () => sql("SELECT count(*)::int FROM applications");
  const before = await count();
  const answered = await runConcurrently(100, 10, (n) => save(proxy, n).catch(() => null));
  same(answered.filter(Boolean).length, 0, "responses that came through although each was to be dropped");
  const saved = `SELECT FROM applications WHERE "landlordSavedAt" IS NOT NULL AND id = ANY($1)`;
  const committed = (await sql(saved, [ids])).length;
  const retried = await runConcurrently(100, 10, (n) => save(app, n));
  same(tally(retried.map(({ status }) => status)), "100 × 200", "statuses of retries");
  const rows = await sql(`SELECT id, "firstName" FROM applications WHERE id = ANY($1)`, [ids]);
  same(rows.filter(({ id, firstName }) => firstName === `Ada ${ids.indexOf(id)}`).length, 100, "right rows");
  same(await count(), before, "applications");

  const [{ token, id } = { token: "", id: "" }] = landlords;
  await fillIn(app, token);
  await call(proxy, "submit-final", { token, data: consent }, { "x-forwarded-for": newAddress() }).catch(() => {});
  const hashOf = () => sql("SELECT md5(a::text) FROM applications a WHERE id = $1", [id]);
  const hash = await hashOf();
  const retry = await call(app, "submit-final", { token, data: consent });
  same([retry.status, await hashOf()], [200, hash], "retry of a submission whose response was dropped");
  const records = await sql(`SELECT FROM consent_records WHERE "applicationId" = $1`, [id]);
  same(records.length, 1, "consent records");
  return `100 answers dropped (${committed} of the saves had been committed), 100 retried: 100 right rows, 0 duplicates; the same for a submission`;
});
