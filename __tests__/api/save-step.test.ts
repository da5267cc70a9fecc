import { agent, belowCap, cap, landlord, lease, shownCap, unsavable } from "@/__tests__/support/answers";
import { saveAgent, saveLandlord, saveLease, saves, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { hostileAmounts } from "@/__tests__/support/hostile-amounts";
import { invited } from "@/__tests__/support/invited";
import { home, post } from "@/__tests__/support/post";
import { reportFigure, size } from "@/__tests__/support/size";

const objects: unknown[] = [
  ...[{ increment: 5 }, { set: "x" }, { toString: "x" }, { $ne: "" }, { raw: "now()" }],
  ...[["x"], 5, true, null],
];
const fieldCount = saves.flatMap(({ answers }) => Object.keys(answers)).length;

const { sql, rowHash, tamper } = freshDatabase();

describe.each(saves)("saving $name", ({ name, handler, answers }) => {
  test("a save stores every answer and records an event", async () => {
    const { token, id } = await invited();
    expect(await post(handler, { token, data: answers })).toMatchObject({ status: 200, body: { success: true } });
    const { data } = (await post(verify, { token })).body;
    expect(data).toMatchObject({ ...answers, savedSteps: [Number(name.slice(-1))] });
    const events = await sql(`SELECT kind, detail, address FROM events WHERE "applicationId" = $1 ORDER BY id`, [id]);
    expect(events).toContainEqual({ kind: "step_saved", detail: name, address: home });
  });

  test("a save whose caller has gone stores nothing, because another process may have stored newer answers since", async () => {
    const { token, id } = await invited();
    const signal = AbortSignal.abort();
    expect(await post(handler, { token, data: answers }, { signal })).toMatchObject({ status: 408 });
    expect(await sql(`SELECT FROM events WHERE "applicationId" = $1 AND kind = 'step_saved'`, [id])).toEqual([]);
  });

  test("repeated saves by one link leave one event, another after five minutes, and one more by another link", async () => {
    const { token, id } = await invited();
    const savedEvents = () => sql(`SELECT id FROM events WHERE "applicationId" = $1 AND kind = 'step_saved'`, [id]);
    const save = () => post(handler, { token, data: answers });
    for (let n = 0; n < 10; n += 1) expect((await save()).status).toBe(200);
    const [first, ...further] = await savedEvents();
    expect(further).toEqual([]);

    await tamper(`UPDATE events SET at = at - interval '6 minutes' WHERE id = $1`, first?.id);
    expect((await save()).status).toBe(200);
    expect(await savedEvents()).toHaveLength(2);

    await tamper(`UPDATE events SET "linkId" = NULL WHERE "applicationId" = $1`, id);
    expect((await save()).status).toBe(200);
    expect(await savedEvents()).toHaveLength(3);
  });

  test("a save without answers gets 422 with a message for each required field", async () => {
    const { token, id } = await invited();
    const before = await rowHash(id);
    for (const data of [undefined, null, {}, [], "x", 7, [answers]]) {
      const { status, body } = await post(handler, { token, data });
      expect(status).toBe(422);
      expect(body).toMatchObject({ success: false, message: "Please check the marked answers" });
      for (const message of Object.values(body.errors ?? {})) expect(message).toMatch(/ (is|are) required$/);
      expect(Object.keys(body.errors ?? {})).not.toEqual([]);
    }
    expect(await rowHash(id)).toBe(before);
  });

  test.each(Object.keys(answers))(
    "an object, a list or a number in place of %s is refused by name, and nothing is stored",
    async (field) => {
      const { token, id } = await invited();
      const before = await rowHash(id);
      // Texts that cannot be saved are refused in the same way.
      for (const value of [...objects, ...unsavable]) {
        const { status, body } = await post(handler, { token, data: { ...answers, [field]: value } });
        expect(status).toBe(422);
        expect(Object.keys(body.errors ?? {})).toEqual([field]);
      }
      expect(await rowHash(id)).toBe(before);
    },
  );

  test("a save never writes a field that is not the step's own", async () => {
    const { token, id, reference } = await invited();
    const extra = `"id":"00000000-0000-0000-0000-000000000000","status":"approved","reference":"AAAA-AAAA",
      "tokenHash":"x","submittedAt":"2026-01-01","invitedMobile":"1","quotes":["1"],"links":{"create":{}},
      "createdAt":"1999-01-01","__proto__":{"status":"approved"},"constructor":{"prototype":{"status":"approved"}}`;
    const raw = `{"token":"${token}","data":{${JSON.stringify(answers).slice(1, -1)},${extra}}}`;
    expect((await post(handler, undefined, { raw })).status).toBe(200);
    const [row] = await sql("SELECT * FROM applications WHERE id = $1", [id]);
    expect(row).toMatchObject({ id, reference, status: "draft", submittedAt: null, invitedMobile: "", quotes: [] });
    expect(row?.createdAt.getFullYear()).toBeGreaterThan(2000);
    const otherFields = saves.filter((save) => save.name !== name).flatMap((save) => Object.keys(save.answers));
    for (const field of otherFields.filter((field) => field !== "source"))
      expect(row?.[field] === "" || row?.[field] === null).toBe(true);
  });

  test("simultaneous saves leave one of them as a whole, never a mixture, and an event for each connection at most", async () => {
    const { token, id } = await invited();
    const isMarked = (field: string) => /Name$|Address$|^approval$|Rent$|Amount$/.test(field);
    const fields = Object.keys(answers).filter(isMarked);
    const marked = (mark: number) =>
      Object.fromEntries(fields.map((field) => [field, /Rent$|Amount$/.test(field) ? `${mark}` : `Save ${mark}`]));
    const save = (n: number) => post(handler, { token, data: { ...answers, ...marked(1000 + n) } });
    const outcomes = await Promise.all(Array.from({ length: size(20, 60) }, (_, n) => save(n)));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]));
    const { data } = (await post(verify, { token })).body;
    expect(fields.length).toBeGreaterThan(1);
    expect(new Set(fields.map((field) => String(data?.[field]).replace(/\D/g, ""))).size).toBe(1);
    const events = await sql(`SELECT 1 FROM events WHERE "applicationId" = $1 AND kind = 'step_saved'`, [id]);
    expect(events.length).toBeLessThanOrEqual(10);
  });
});

test("phone numbers of the invitation are the lender's: a call cannot change them", async () => {
  const phones = { mobile: "61400000001", contactNumber: "61200000001" };
  const { token } = await invited(phones);
  await post(saveLandlord, { token, data: { ...landlord, mobile: "61499999999" } });
  await post(saveAgent, { token, data: { ...agent, contactNumber: { increment: 1 } } });
  expect((await post(verify, { token })).body.data).toMatchObject({ ...phones, savedSteps: [1, 2] });
});

test.each([undefined, null, "x", [agent]])("%j has no contact number, even if one was invited", async (data) => {
  const { token } = await invited({ contactNumber: "61200000001" });
  const { body } = await post(saveAgent, { token, data });
  expect(body.errors).toHaveProperty("contactNumber", "Contact number is required");
});

test("the invited values stay beside the landlord's answers", async () => {
  const { token } = await invited({ firstName: "Adelaide", invoiceAmount: "2450" });
  await post(saveLandlord, { token, data: landlord });
  await post(saveLease, { token, data: { ...lease, invoiceAmount: "99.90" } });
  expect((await post(verify, { token })).body.data).toMatchObject({
    firstName: "Ada",
    invoiceAmount: "99.90",
    invited: { firstName: "Adelaide", invoiceAmount: "2450" },
  });
});

test("text is trimmed and composed before it is kept", async () => {
  const { token } = await invited();
  await post(saveLandlord, { token, data: { ...landlord, firstName: "  Zoe\u0308  ", email: " zoe@example.com " } });
  expect((await post(verify, { token })).body.data).toMatchObject({ firstName: "Zoë", email: "zoe@example.com" });
  const longest = "e\u0301".repeat(120);
  expect((await post(saveLandlord, { token, data: { ...landlord, lastName: `\n ${longest} ` } })).status).toBe(200);
  expect((await post(verify, { token })).body.data).toMatchObject({ lastName: longest.normalize("NFC") });
  expect((await post(saveLandlord, { token, data: { ...landlord, lastName: `${longest}e` } })).status).toBe(422);
  reportFigure(13, `${objects.length} objects in place of strings in ${fieldCount} fields: 422`);
  reportFigure(22, `${unsavable.length} values in ${fieldCount} fields: 422; 120 letters are counted trimmed, in NFC`);
});

test("names that look like code are kept as they are", async () => {
  const { token } = await invited();
  const firstName = `'; DROP TABLE links; -- <script>alert(1)</script> \${7*7} {{7*7}} %s`;
  await post(saveLandlord, { token, data: { ...landlord, firstName } });
  expect((await post(verify, { token })).body.data).toMatchObject({ firstName });
});

test("a save without a source leaves the application's own", async () => {
  const { token } = await invited({}, { source: "ia" });
  const { source: _, ...rest } = landlord;
  await post(saveLandlord, { token, data: rest });
  expect((await post(verify, { token })).body.data).toMatchObject({ source: "ia" });
});

test("an amount is refused, or kept to the cent", async () => {
  const { token, id } = await invited();
  const exact = ["0.01", "1", "450", "450.5", "450.50", belowCap(1), cap, `${cap}.00`, "007", "1234.10"];
  const named = (field: string) => ({ [field]: expect.any(String) });
  for (const field of ["currentRent", "invoiceAmount", "loanAmount"]) {
    const save = (text: string) => post(saveLease, { token, data: { ...lease, [field]: text } });
    for (const text of hostileAmounts)
      expect([text, await save(text)]).toMatchObject([text, { status: 422, body: { errors: named(field) } }]);
    for (const text of exact) {
      expect([text, (await save(text)).status]).toEqual([text, 200]);
      expect(await sql(`SELECT FROM applications WHERE id = $1 AND "${field}" = $2`, [id, text])).toHaveLength(1);
    }
  }
  const kept = `${exact.length} good ones in 3 fields: kept to the cent`;
  reportFigure(23, `${hostileAmounts.length} hostile amounts in 3 fields: 422; ${kept}`);
});

test.each([
  [{ leaseStartDate: "2026-02-30" }, { leaseStartDate: "Lease start date must be a real date" }],
  [{ leaseEndDate: lease.leaseStartDate }, { leaseEndDate: "Lease end date must be after the start date" }],
  [{ leaseEndDate: "2020-01-01" }, { leaseEndDate: "Lease end date must be after the start date" }],
  [{ loanAmount: `${cap}.01` }, { loanAmount: `Loan amount must be ${shownCap} or less` }],
])("a lease with %j gets the errors %j", async (wrong, errors) => {
  const { token } = await invited();
  const { status, body } = await post(saveLease, { token, data: { ...lease, ...wrong } });
  expect(status).toBe(422);
  expect(body.errors).toEqual(errors);
});
