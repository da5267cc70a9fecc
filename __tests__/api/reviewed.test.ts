import { createHash } from "node:crypto";
import fc from "fast-check";
import { changeOf, consent, landlord, lease, wholeApplication } from "@/__tests__/support/answers";
import { saveLandlord, saveLease, saves, submitFinal, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { reportFigure, size } from "@/__tests__/support/size";
import { filledIn } from "@/__tests__/support/submitted";
import { defaultBrand } from "@/lib/brand";
import { savedAnswers } from "@/lib/domain/application";
import { consentDocument, consentText } from "@/lib/domain/consent";
import { formatAnswers, versionOf as versionOfRecord } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";

const { sql, tamper } = freshDatabase();

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const document = consentDocument(consentText(defaultBrand));
const textShown = sha256(document);

/** The version, computed independently of the product: SHA-256 of the answers as JSON, sorted by name, without spaces. */
const versionOf = (data: Record<string, unknown> = {}) =>
  sha256(JSON.stringify(Object.fromEntries([...savedAnswers].sort().map((name) => [name, data[name]]))));

const read = async (token: string) => (await post(verify, { token })).body.data;
const records = (id: string) => sql(`SELECT * FROM consent_records WHERE "applicationId" = $1`, [id]);
const statusOf = async (id: string) => (await sql("SELECT status FROM applications WHERE id = $1", [id]))[0]?.status;

async function readyToSubmit() {
  const invitation = await filledIn();
  const shown = await read(invitation.token);
  const submitAsShown = (changes: object = {}) => {
    const reviewed = { answers: shown?.version, consent: textShown, ...changes };
    return post(submitFinal, { token: invitation.token, data: { ...consent, reviewed } });
  };
  return { ...invitation, shown, submitAsShown };
}

describe("the version of the answers", () => {
  test("the version is the SHA-256 of the answers' canonical JSON, in verify-token and in each save's response", async () => {
    const { token } = await invited();
    const versions = [(await read(token))?.version];
    for (const { handler, answers } of saves) {
      const { data } = (await post(handler, { token, data: answers })).body;
      expect(data).toEqual(await read(token));
      versions.push(data?.version);
    }
    expect(new Set(versions).size).toBe(4);
    expect(versions[3]).toBe(versionOf(wholeApplication));
  });

  test("the version equals the one that a submission records, whatever people write", async () => {
    const { token, id } = await invited();
    const recorded = async () =>
      versionOfRecord(formatAnswers(await prisma().application.findUniqueOrThrow({ where: { id } })));
    const anything = fc.string({ unit: "binary", maxLength: 20 });
    const text = anything.filter((value) => !value.includes("\0") && value.isWellFormed());
    const cents = fc.option(fc.integer({ min: 0, max: 9_999_999_999_99 }));
    const day = fc.option(fc.date({ min: new Date("0100-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }));
    await fc.assert(
      fc.asyncProperty(text, text, cents, day, async (firstName, approval, amount, start) => {
        await sql(
          `UPDATE applications SET "firstName" = $2, approval = $3, "loanAmount" = $4::numeric / 100,
             "leaseStartDate" = $5::date WHERE id = $1`,
          [id, firstName, approval, amount, start?.toISOString().slice(0, 10)],
        );
        const data = await read(token);
        expect(data).toMatchObject({ firstName, approval });
        expect(data?.version).toBe(versionOf(data));
        expect(data?.version).toBe(await recorded());
      }),
      { numRuns: size(25, 100) },
    );
  });

  test("the version in a save's response is that of the row it left behind, with what another device has saved meanwhile", async () => {
    const { token } = await filledIn();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        const { handler, answers } = saves[n % saves.length] as (typeof saves)[number];
        const name = { firstName: `Ada ${n}`, agencyName: `Agency ${n}`, approval: `AP-${n}` };
        return post(handler, { token, data: { ...answers, ...name } });
      }),
    );
    for (const { body } of outcomes) expect(body.data?.version).toBe(versionOf(body.data));
    expect(outcomes.map(({ body }) => body.data?.version)).toContain((await read(token))?.version);
  });
});

describe("a submission that says what was shown", () => {
  test("a submission is accepted if it names the stored answers and the text in force, and the record says so", async () => {
    const { id, shown, submitAsShown } = await readyToSubmit();
    expect((await submitAsShown()).status).toBe(200);
    const answers = Object.fromEntries(savedAnswers.map((name) => [name, shown?.[name]]));
    const hashes = { answersHash: shown?.version, documentHash: textShown };
    expect(await records(id)).toMatchObject([{ reviewed: true, answers, ...hashes }]);
  });

  // An answer of each step, or every answer twelve times.
  const changedAnswers = size(0, 12)
    ? savedAnswers.flatMap((name) => new Array<typeof name>(size(0, 12)).fill(name))
    : (["firstName", "agencyName", "loanAmount"] as const);
  test.each(changedAnswers)("a submission gets 409 where another device has changed %s", async (name) => {
    const { token, id, shown, submitAsShown } = await readyToSubmit();
    const { step, data } = changeOf(name);
    const { handler } = saves[step - 1] as (typeof saves)[number];
    expect((await post(handler, { token, data })).status).toBe(200);
    const { status, body } = await submitAsShown();
    expect([status, body.success]).toEqual([409, false]);
    expect(body.message).toBe("Your application has changed since you read it");
    expect(body.data).toEqual({ changed: ["answers"], application: await read(token) });
    const current = body.data?.application as Record<string, unknown>;
    expect(savedAnswers.filter((field) => current[field] !== shown?.[field])).toEqual([name]);
    expect([await statusOf(id), await records(id)]).toEqual(["draft", []]);
    expect((await submitAsShown({ answers: current.version })).status).toBe(200);
    expect(await records(id)).toMatchObject([{ answers: { [name]: current[name] } }]);
  });

  test("a submission is refused where another text is in force, and the response contains that text", async () => {
    const { token, id, submitAsShown } = await readyToSubmit();
    const others = Array.from({ length: size(1, 200) }, (_, n) => sha256(`the words of lender ${n}`));
    const refusals = await Promise.all(others.map((other) => submitAsShown({ consent: other })));
    expect(refusals.map(({ status }) => status)).toEqual(others.map(() => 409));
    const { status, body } = await submitAsShown({ consent: sha256("another lender's words") });
    expect([status, body.message]).toEqual([409, "The consent text has changed since you read it"]);
    expect(body.data).toEqual({
      changed: ["consent"],
      application: await read(token),
      consent: { ...consentText(defaultBrand), hash: textShown },
    });
    expect(await records(id)).toEqual([]);
  });

  test("a caller that has read nothing yet gets both in one response, and submits nothing", async () => {
    const { id, submitAsShown } = await readyToSubmit();
    const { status, body } = await submitAsShown({ answers: "", consent: "" });
    expect([status, await statusOf(id)]).toEqual([409, "draft"]);
    expect(body.message).toBe("Your application and the consent text have changed since you read them");
    expect(body.data).toMatchObject({ changed: ["answers", "consent"], consent: { hash: textShown } });
  });

  const malformed = [null, "x", 7, [], {}, { answers: "x" }, { consent: "x" }, { answers: 1, consent: { in: [] } }];

  test.each(malformed)("a submission with %j as what was shown gets 422", async (reviewed) => {
    const { token, id } = await readyToSubmit();
    const { status, body } = await post(submitFinal, { token, data: { ...consent, reviewed } });
    expect([status, body.errors]).toEqual([422, { reviewed: "must be { answers, consent }, or left out" }]);
    expect(await records(id)).toEqual([]);
  });

  test("beside concurrent saves, the record has what was shown, or nothing is submitted", async () => {
    const rounds = size(10, 100);
    let submitted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { token, id, shown, submitAsShown } = await readyToSubmit();
      const saving = post(saveLease, { token, data: { ...lease, loanAmount: "2450" } });
      const renaming = post(saveLandlord, { token, data: { ...landlord, firstName: "Eve" } });
      const [response] = await Promise.all([submitAsShown(), saving, renaming]);
      expect([200, 409]).toContain(response.status);
      const kept = await records(id);
      expect(kept).toHaveLength(response.status === 200 ? 1 : 0);
      for (const { answersHash } of kept) expect(answersHash).toBe(shown?.version);
      submitted += kept.length;
    }
    const concurrent = `${rounds} beside saves: ${submitted} submitted as shown, ${rounds - submitted} × 409`;
    const changed = `${12 * savedAnswers.length} after a change of one of ${savedAnswers.length} answers: 409 naming it`;
    reportFigure(27, `submissions, ${changed}; ${concurrent}; 200 of another consent text: 409 with the text in force`);
  });
});

test("once submitted, the shown answers are those of the record, whatever becomes of the row", async () => {
  const { token, id, submitAsShown } = await readyToSubmit();
  await submitAsShown();
  const before = await read(token);
  const change = `UPDATE applications SET "loanAmount" = 1, "firstName" = 'Eve', "leaseEndDate" = NULL WHERE id = $1`;
  await tamper(change, id);
  const { version, ...after } = (await read(token)) ?? {};
  expect({ ...after, version: before?.version }).toEqual(before);
  expect(version).not.toBe(before?.version);
});
