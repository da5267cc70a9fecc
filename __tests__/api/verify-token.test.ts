import { landlord, lease } from "@/__tests__/support/answers";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { home, post } from "@/__tests__/support/post";
import { POST as saveLandlord } from "@/app/api/v1/user/submit-step-1/route";
import { POST as saveLease } from "@/app/api/v1/user/submit-step-3/route";
import { POST as verify } from "@/app/api/v1/user/verify-token/route";
import { defaultAnswers, invitableAnswers } from "@/lib/domain/application";
import { makeToken } from "@/lib/server/links/token";

const { sql } = freshDatabase();

test("a landlord with a good link gets the application, with what the lender knows filled in", async () => {
  const { token, reference } = await invited(
    { mobile: "61412345678", firstName: "Grace", invoiceAmount: "2450.5" },
    { source: "ia" },
  );
  const { status, body } = await post(verify, { token, source: "ia" });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    data: {
      reference,
      consent: null,
      status: "draft",
      submittedAt: null,
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...defaultAnswers,
      firstName: "Grace",
      mobile: "61412345678",
      source: "ia",
      invoiceAmount: "2450.50",
      invited: {
        ...Object.fromEntries(invitableAnswers.map((name) => [name, ""])),
        firstName: "Grace",
        mobile: "61412345678",
        invoiceAmount: "2450.50",
      },
      savedSteps: [],
    },
  });
});

test("verifying, however often, never uses a link up; its first opening alone is noted", async () => {
  const { token, id } = await invited();
  for (let time = 0; time < 30; time += 1) expect((await post(verify, { token })).status).toBe(200);
  const events = await sql(`SELECT kind, address FROM events WHERE "applicationId" = $1 AND kind = 'link_opened'`, [
    id,
  ]);
  expect(events).toEqual([{ kind: "link_opened", address: home }]);
});

test("an expired link opens nothing, by the clock of the database", async () => {
  const { token, id } = await invited();
  await sql(`UPDATE links SET "expiresAt" = now() - interval '1 second' WHERE "applicationId" = $1`, [id]);
  expect((await post(verify, { token })).status).toBe(401);
});

test("a revoked link stops at the very next call", async () => {
  const { token, id } = await invited();
  expect((await post(verify, { token })).status).toBe(200);
  await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [id]);
  expect((await post(verify, { token })).status).toBe(401);
  expect((await post(saveLandlord, { token, data: landlord })).status).toBe(401);
});

test("unknown, tampered, expired, revoked and unreadable tokens get one identical answer", async () => {
  const expired = await invited({}, { expiresInDays: -1 });
  const revoked = await invited();
  await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [revoked.id]);
  const tampered = `${revoked.token.slice(0, -2)}AA`;
  const unreadable = [undefined, null, 7, "", "short", {}, [revoked.token], { equals: revoked.token }, "' OR 1=1 --"];
  const answers = [];
  for (const token of [makeToken(), tampered, expired.token, revoked.token, ...unreadable]) {
    const { status, body, headers } = await post(verify, { token });
    answers.push({ status, body, names: [...headers.keys()].sort().join() });
  }
  expect(answers[0]).toMatchObject({ status: 401, body: { success: false, message: "Token verification failed" } });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test("the database holds the SHA-256 of a token and the token nowhere", async () => {
  const { token, id } = await invited();
  await post(verify, { token });
  const [link] = await sql(
    `SELECT "tokenHash" FROM link_tokens JOIN links ON links.id = "linkId" WHERE "applicationId" = $1`,
    [id],
  );
  expect(link?.tokenHash).toHaveLength(32);
  for (const table of ["applications", "links", "link_tokens", "events", "consent_records", "rate_limits"]) {
    const holding = await sql(`SELECT 1 FROM ${table} AS t WHERE strpos(to_jsonb(t)::text, $1) > 0`, [token]);
    expect(holding).toEqual([]);
  }
});

test("a returning landlord finds on another device what was saved, to the cent and to the day", async () => {
  const { token } = await invited({ mobile: landlord.mobile });
  await post(saveLandlord, { token, data: landlord });
  const cents = { ...lease, currentRent: "300.05", invoiceAmount: "0.10", loanAmount: "31205.3" };
  await post(saveLease, { token, data: cents });
  const { data } = (await post(verify, { token })).body;
  expect(data).toMatchObject({
    ...landlord,
    leaseStartDate: "2026-03-01",
    leaseEndDate: "2027-02-28",
    currentRent: "300.05",
    invoiceAmount: "0.10",
    loanAmount: "31205.30",
    savedSteps: [1, 3],
  });
});
