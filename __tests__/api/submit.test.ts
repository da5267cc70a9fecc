import { wholeApplication } from "@/__tests__/support/answers";
import { submitWhole, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";

const { sql } = freshDatabase();

const stored = (id: string) => sql(`SELECT status, "firstName", "leaseSavedAt" FROM applications WHERE id = $1`, [id]);

test("the lender's app submits a whole application in one call", async () => {
  const { token, reference } = await invited();
  const { status, body } = await post(submitWhole, { token, data: wholeApplication });
  expect([status, body.success, body.data?.reference]).toEqual([200, true, reference]);
  const submitted = { ...wholeApplication, status: "submitted", savedSteps: [1, 2, 3] };
  expect((await post(verify, { token })).body.data).toMatchObject(submitted);
  expect(await sql(`SELECT 1 FROM consent_records`)).toHaveLength(1);
});

test("invalid fields of every step are reported together, and nothing is stored", async () => {
  const { token, id } = await invited();
  const wrong = { email: "ada", contactNumber: "12", loanAmount: "1e3", confirmLoan: false };
  const { status, body } = await post(submitWhole, { token, data: { ...wholeApplication, ...wrong } });
  expect([status, body.data]).toEqual([422, { step: 1 }]);
  expect(body.errors).toEqual({
    email: "Invalid email",
    contactNumber: "Contact number is required",
    loanAmount: expect.stringContaining("Loan amount must be an amount"),
    confirmLoan: expect.any(String),
  });
  expect(await stored(id)).toEqual([{ status: "draft", firstName: "", leaseSavedAt: null }]);
});

test.each([
  [{ managerEmail: "grace" }, { step: 2 }],
  [{ currentRent: "" }, { step: 3 }],
  [{ confirmLoan: false }, undefined],
])("with %j, the response names the first incomplete step", async (wrong, data) => {
  const { token } = await invited();
  const { status, body } = await post(submitWhole, { token, data: { ...wholeApplication, ...wrong } });
  expect([status, body.data]).toEqual([422, data]);
});

test.each([undefined, null, "x", 7, [], {}])("with %j as an application, required fields are named", async (data) => {
  const { token } = await invited();
  const { status, body } = await post(submitWhole, { token, data });
  expect(status).toBe(422);
  const required = ["firstName", "agencyName", "leaseStartDate", "confirmLoan"];
  expect(Object.keys(body.errors ?? {})).toEqual(expect.arrayContaining(required));
});

test("the call cannot change the phone numbers of the invitation, nor set columns that only the server sets", async () => {
  const { token, id, reference } = await invited({ mobile: "61400000001" });
  const data = { ...wholeApplication, mobile: "61499999999", status: "approved", reference: "AAAA-AAAA" };
  expect((await post(submitWhole, { token, data })).body.data).toMatchObject({ reference, status: "submitted" });
  const [row] = await sql("SELECT mobile, status FROM applications WHERE id = $1", [id]);
  expect(row).toEqual({ mobile: "61400000001", status: "submitted" });
});

test("a second call, with other answers or none, gets the first receipt and changes nothing", async () => {
  const { token } = await invited();
  const first = await post(submitWhole, { token, data: wholeApplication });
  for (const data of [{ ...wholeApplication, firstName: "Eve" }, null]) {
    const other = await post(submitWhole, { token, data });
    expect([other.status, other.body]).toEqual([200, first.body]);
  }
  expect((await post(verify, { token })).body.data).toMatchObject({ firstName: "Ada" });
});

test("twenty simultaneous calls submit one complete application", async () => {
  const { token, id } = await invited();
  const submitAs = (n: number) =>
    post(submitWhole, { token, data: { ...wholeApplication, firstName: `Ada ${n}`, lastName: `Byron ${n}` } });
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => submitAs(n)));
  expect(new Set(outcomes.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  const [row] = await sql(`SELECT "firstName", "lastName" FROM applications WHERE id = $1`, [id]);
  expect(row?.firstName.slice(4)).toBe(row?.lastName.slice(6));
});
