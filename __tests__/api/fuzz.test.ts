import fc from "fast-check";
import { wholeApplication } from "@/__tests__/support/answers";
import { allCalls, submitWhole, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { randomAmounts } from "@/__tests__/support/random-amounts";
import { reportFigure, size } from "@/__tests__/support/size";
import { submitted } from "@/__tests__/support/submitted";
import { GET as look } from "@/app/api/v1/invitations/[reference]/route";
import { POST as create } from "@/app/api/v1/invitations/route";
import { createKey } from "@/lib/server/invitations/api-keys";
import { invitationFields } from "@/lib/server/invitations/invitation";

process.env.RATE_LIMIT_FACTOR = "1000";
const { sql, appUrl } = freshDatabase();

let key = "";
beforeAll(async () => {
  // Only operations may create keys. This process acts as both roles.
  await sql(`GRANT INSERT, UPDATE ON api_keys TO "${new URL(appUrl).username}"`);
  key = await createKey("fuzz", ["create", "read"], "Ines");
});
/** Looks up the reference that is in the body. */
const lookUp = async (request: Request) => {
  const reference = encodeURIComponent((await request.text()).slice(0, 100).replace(/\p{Cs}/gu, ""));
  return look(new Request(`http://localhost/api/v1/invitations/${reference}`, { headers: request.headers }));
};
const withKey = () => ({ authorization: `Bearer ${key}` });

const call = fc.constantFrom(...allCalls.map(({ handler }) => handler), create, lookUp);
const fields = Object.keys(wholeApplication);
const value = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
  fc.constantFrom("2026-03-01", "450", true, false),
);
/** Valid answers with some values replaced and unknown keys added. */
const answers = fc.oneof(
  fc.jsonValue(),
  fc
    .tuple(fc.dictionary(fc.constantFrom(...fields), value), fc.dictionary(fc.string(), value, { maxKeys: 3 }))
    .map(([replaced, unknownKeys]) => ({ ...wholeApplication, ...unknownKeys, ...replaced })),
);

/** What the invitation API takes, with some values replaced and unknown keys added. */
const invitation = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...invitationFields.map(({ field }) => field), "batch", "send"), value),
    fc.dictionary(fc.string(), value, { maxKeys: 2 }),
  )
  .map(([replaced, unknownKeys]) => ({ mobile: "61412345678", ...unknownKeys, ...replaced }));

test("no body gets a 5xx, or a response outside the envelope", async () => {
  const { token } = await invited();
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json(),
    fc.jsonValue().map((json) => JSON.stringify({ token: json, data: json })),
    answers.map((data) => JSON.stringify({ token, data })),
    fc.oneof(invitation, fc.array(invitation, { maxLength: 3 })).map((input) => JSON.stringify(input)),
  );
  await fc.assert(
    fc.asyncProperty(call, body, async (handler, raw) => {
      const { status, body } = await post(handler, undefined, { raw: raw as BodyInit, headers: withKey() });
      expect(status).toBeLessThan(500);
      expect(typeof body.success).toBe("boolean");
      if (status !== 200 && status !== 201) expect(body).toMatchObject({ success: false, message: expect.any(String) });
    }),
    { numRuns: size(500, 10_000) },
  );
  reportFigure(21, "10,000 fuzzed bodies: no 5xx, every answer { success, message }");
}, 300_000);

test("one landlord's link never reads or changes another's application", async () => {
  const caller = await invited();
  const other = await submitted({
    mobile: "61400000002",
    email: "canary@example.com",
    propertyAddress: "7 Canary Row",
  });
  const rows = () =>
    sql(
      `SELECT md5(string_agg(t, '' ORDER BY t)) FROM (SELECT a::text AS t FROM applications a WHERE id = $1
        UNION ALL SELECT c::text FROM consent_records c WHERE "applicationId" = $1
        UNION ALL SELECT l::text FROM links l WHERE "applicationId" = $1
        UNION ALL SELECT e::text FROM events e WHERE "applicationId" = $1) all_of_it`,
      [other.id],
    );
  const before = await rows();
  const otherIds = { id: other.id, applicationId: other.id, reference: other.reference, token: other.token };
  const data = fc.oneof(
    answers,
    answers.map((values) => ({ ...Object(values), ...otherIds })),
  );
  await fc.assert(
    fc.asyncProperty(call, data, async (handler, sent) => {
      const { body } = await post(handler, { ...otherIds, data: sent, token: caller.token }, { headers: withKey() });
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`anary|${other.reference}`));
    }),
    { numRuns: size(300, 1000) },
  );
  // The API key of a system that did not invite the other applicant reveals nothing either.
  await fc.assert(
    fc.asyncProperty(invitation, async (sent) => {
      const { body } = await post(create, { ...sent, ...otherIds }, { headers: withKey() });
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`anary|${other.reference}`));
    }),
    { numRuns: size(50, 1000) },
  );
  const path = `/api/v1/invitations/${other.reference}`;
  expect((await post(look, undefined, { method: "GET", path, headers: withKey() })).status).toBe(404);
  expect(await rows()).toEqual(before);
  expect((await post(verify, { token: other.token })).body.data).toMatchObject({ status: "submitted" });
  reportFigure(
    13,
    "1,000 random calls with another's id, token and keys: the other's rows untouched, nothing of it shown",
  );
}, 300_000);

test("the response and the record name the rental advance that was submitted", async () => {
  const drawn = randomAmounts(size(50, 10_000));
  const submitted = new Map<string, string>();
  await runConcurrently(drawn.length, 6, async (n) => {
    const { loanAmount, ...otherAmounts } = drawn[n] as (typeof drawn)[number];
    const { token, id } = await invited();
    const { status } = await post(submitWhole, { token, data: { ...wholeApplication, ...otherAmounts, loanAmount } });
    const { data } = (await post(verify, { token })).body;
    expect([status, data?.loanAmount]).toEqual([200, loanAmount]);
    submitted.set(id, loanAmount);
  });
  const records = await sql(
    `SELECT "applicationId" AS id, answers->>'loanAmount' AS advance FROM consent_records WHERE "applicationId" = ANY ($1)`,
    [[...submitted.keys()]],
  );
  expect(new Map(records.map(({ id, advance }) => [id, advance]))).toEqual(submitted);
  reportFigure(31, `${drawn.length} random answers submitted: answer and record name one advance`);
}, 1_200_000);
