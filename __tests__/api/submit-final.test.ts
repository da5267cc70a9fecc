import { createHash } from "node:crypto";
import { agent, cap, consent, landlord, lease, rentOverCap, shownCap } from "@/__tests__/support/answers";
import { saveAgent, saveLease, saves, submitFinal, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { home, post } from "@/__tests__/support/post";
import { setStatus } from "@/__tests__/support/set-status";
import { reportFigure } from "@/__tests__/support/size";
import { filledIn, submitted } from "@/__tests__/support/submitted";
import { defaultBrand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import { type AgreedConsent, answers } from "@/lib/domain/application";
import { consentDocument, consentText } from "@/lib/domain/consent";
import { formatCents } from "@/lib/domain/money";
import { eraseApplication } from "@/lib/server/applications/erase";
import { revokeLinks } from "@/lib/server/invitations/links";

const { sql, rowHash, blockedBy, tamper } = freshDatabase();

const records = (id: string) => sql(`SELECT * FROM consent_records WHERE "applicationId" = $1`, [id]);

test("a submission returns the reference and the time, and records the consent: version, words, their hash, the boxes, when and from where", async () => {
  const { token, id, reference } = await filledIn();
  const boxes = { authoriseAgent: false, provideSelf: true, confirmLoan: true };
  const headers = { "user-agent": "Phone/1.0" };
  const before = (await post(verify, { token })).body.data;
  expect(before).toMatchObject({ consent: null });
  const { status, body } = await post(submitFinal, { token, data: boxes }, { headers });
  expect([status, body]).toMatchObject([200, { success: true, data: { reference, status: "submitted" } }]);
  const submittedAt = String(body.data?.submittedAt);
  expect(Math.abs(Date.now() - Date.parse(submittedAt))).toBeLessThan(60_000);
  const text = consentText(defaultBrand);
  const document = consentDocument(text);
  expect(await records(id)).toMatchObject([
    {
      ...boxes,
      // The call did not say what was shown.
      reviewed: false,
      answersHash: before?.version,
      version: text.version,
      document,
      documentHash: createHash("sha256").update(document).digest("hex"),
      consentedAt: new Date(submittedAt),
      address: home,
      userAgent: "Phone/1.0",
    },
  ]);
  expect((await post(verify, { token })).body.data).toMatchObject({
    ...boxes,
    ...{ status: "submitted", submittedAt, reference },
    consent: { version: text.version, document, consentedAt: submittedAt },
  });
});

test("a receipt keeps the words and the limits of its day", async () => {
  const { token } = await invited();
  for (const { handler, answers } of saves)
    await post(handler, {
      token,
      data: { ...answers, currentRent: rentOverCap, invoiceAmount: "2450", loanAmount: cap },
    });
  await post(submitFinal, { token, data: consent });
  const before = (await post(verify, { token })).body.data?.consent as AgreedConsent;
  expect(before.receipt.at(-1)).toEqual({
    title: "Calculation Summary",
    rows: [
      { label: "Rental Advance", text: `${shownCap}.00*`, note: `paid to ${agent.agencyName}` },
      { label: "Repair", text: "$2,450.00" },
      { label: "Extra funds", text: formatCents(maximumAdvance - 2450_00, defaultBrand, true) },
    ],
    notes: [`* Capped at maximum loan amount of ${shownCap}.00`],
  });
  const label = answers.currentRent.label;
  Object.assign(answers.currentRent, { label: "Rent of another day" });
  const after = (await post(verify, { token })).body.data?.consent;
  Object.assign(answers.currentRent, { label });
  expect(after).toEqual(before);
});

test("a submission before steps 1 to 3 are saved names the first missing step, and submits nothing", async () => {
  for (let saved = 0; saved < 7; saved += 1) {
    const { token, id } = await invited();
    for (const [index, { handler, answers }] of saves.entries())
      if (saved & (1 << index)) await post(handler, { token, data: answers });
    const { status, body } = await post(submitFinal, { token, data: consent });
    const first = [1, 2, 3].find((step) => !(saved & (1 << (step - 1))));
    expect([status, body.data, await records(id)]).toEqual([422, { step: first }, []]);
    expect(body.message).toMatch(new RegExp(`^Step ${first} \\(.+\\) isn't complete$`));
    expect(Object.keys(body.errors ?? {})).not.toEqual([]);
  }
  reportFigure(3, "7 incomplete applications: 7 × 422 naming the first missing step, 0 submissions");
});

test("answers that come only from the invitation are not submitted before their step is saved", async () => {
  const { token, id } = await invited({ ...landlord, ...agent, ...lease });
  await post(saveLease, { token, data: lease });
  const { status, body } = await post(submitFinal, { token, data: consent });
  expect([status, body.data, await records(id)]).toEqual([422, { step: 1 }, []]);
});

test("without consent a submission is refused, and the error names the box", async () => {
  const { token, id } = await filledIn();
  for (const [data, field] of [
    [{ ...consent, confirmLoan: false }, "confirmLoan"],
    [{ ...consent, authoriseAgent: false }, "authoriseAgent"],
    [{ ...consent, provideSelf: true }, "provideSelf"],
    [{ ...consent, confirmLoan: "true" }, "confirmLoan"],
    [{}, "confirmLoan"],
    [null, "confirmLoan"],
    ["yes", "confirmLoan"],
  ] as const) {
    const { status, body } = await post(submitFinal, { token, data });
    expect([data, status, body.errors]).toEqual([data, 422, expect.objectContaining({ [field]: expect.any(String) })]);
  }
  expect(await records(id)).toEqual([]);
});

test("two hundred simultaneous calls make one submission and get the same response", async () => {
  const { token, id } = await filledIn();
  const responses = await Promise.all(Array.from({ length: 200 }, () => post(submitFinal, { token, data: consent })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await records(id)).toHaveLength(1);
  expect(await sql(`SELECT 1 FROM events WHERE "applicationId" = $1 AND kind = 'submitted'`, [id])).toHaveLength(1);
  reportFigure(1, "200 submissions at once: 1 record, 1 event, 200 × 200 with one receipt");
});

test("a retry, even a day later, with other boxes or with other words shown, gets the first receipt and changes nothing", async () => {
  const { token, id } = await submitted();
  await tamper(`UPDATE applications SET "submittedAt" = "submittedAt" - interval '1 day' WHERE id = $1`, id);
  const before = [await rowHash(id), await records(id)];
  const first = await post(submitFinal, { token, data: consent });
  const other = { authoriseAgent: false, provideSelf: true, confirmLoan: true };
  const unread = { ...consent, reviewed: { answers: "", consent: "" } };
  for (const data of [consent, other, unread, null]) {
    const retry = await post(submitFinal, { token, data });
    expect([retry.status, retry.body]).toEqual([200, first.body]);
  }
  expect([await rowHash(id), await records(id)]).toEqual(before);
  reportFigure(2, "4 retries a day later: 200 with the first receipt; 3 saves after it: 409, row unchanged");
});

const statusesAfterSubmission = ["submitted", "in_review", "approved", "declined", "withdrawn", "paid"];
const alreadySubmitted = { success: false, message: "You've already submitted this application" };

test.each(statusesAfterSubmission)("an application that is %s is never changed", async (set) => {
  const { token, id } = await submitted();
  await sql(`UPDATE applications SET status = $2::"ApplicationStatus" WHERE id = $1`, [id, set]);
  const before = await rowHash(id);
  const status = set.replace("_", "-");
  expect((await post(verify, { token })).body.data).toMatchObject({ status });
  expect((await post(submitFinal, { token, data: consent })).body.data).toMatchObject({ status });
  for (const { handler, answers } of saves) {
    const { status, body } = await post(handler, { token, data: answers });
    expect([status, body]).toEqual([409, alreadySubmitted]);
  }
  expect(await rowHash(id)).toBe(before);
});

test("a save that waited for the row while it was submitted is refused", async () => {
  const { token, id } = await filledIn();
  const submission = `UPDATE applications SET status = 'submitted', "submittedAt" = now() WHERE id = $1`;
  const save = () => post(saveAgent, { token, data: { ...agent, agencyName: "Late" } });
  expect(await blockedBy(submission, [id], save)).toMatchObject({ status: 409, body: alreadySubmitted });
  const [stored] = await sql(`SELECT "agencyName" FROM applications WHERE id = $1`, [id]);
  expect(stored).toEqual({ agencyName: agent.agencyName });
});

// A new column is NULL for amounts and '' for texts.
test.each([
  ["an amount", "invoiceAmount", null, 3, "Invoice amount is required"],
  ["a text", "agencyName", "", 2, "Agency name is required"],
])("%s declared after its step was saved is required before submission", async (_, name, empty, step, message) => {
  const { token, id } = await filledIn();
  await sql(`UPDATE applications SET "${name}" = $2 WHERE id = $1`, [id, empty]);
  const savedSteps = [1, 2, 3].filter((saved) => saved !== step);
  expect((await post(verify, { token })).body.data).toMatchObject({ savedSteps });
  const { status, body } = await post(submitFinal, { token, data: consent });
  expect(status).toBe(422);
  expect(body).toMatchObject({ errors: { [name]: message }, data: { step } });
});

test.each([
  ["withdrawn", (reference: string) => revokeLinks(reference, "Ines")],
  ["erased", (reference: string) => eraseApplication(reference, "Ines")],
])("after the application was %s, no link shows the decision", async (_, end) => {
  const { reference } = await submitted();
  await end(reference);
  expect(await setStatus(reference, "approved", { by: "" })).toMatchObject({ shownUntil: null });
});
