import { randomInt } from "node:crypto";
import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, everyCall, fillIn, newAddress, send } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

const hostileKeys = (id: string, reference: string) => ({
  id,
  reference,
  applicationId: id,
  linkId: id,
  status: "approved",
  tokenHash: "00",
  submittedAt: "2020-01-01T00:00:00Z",
  landlordSavedAt: null,
  invitedMobile: "61400000000",
  quotes: ["1"],
  constructor: { prototype: { status: "approved" } },
});

const objects: unknown[] = [
  { increment: 5 },
  { set: "x" },
  ["x"],
  { toString: "x" },
  5,
  true,
  null,
  { $ne: "" },
  { raw: "now()" },
];

const otherPeople: Promised = {
  number: 13,
  async prove({ app, sql, hashOf }) {
    const mine = await several(5, 5, () => invited());
    const theirs = await invited({ firstName: "Canary-B", email: "canary-b@example.com" });
    await fillIn(app, theirs.token);
    await sql(`UPDATE applications SET "agencyName" = 'Canary-B Homes' WHERE id = $1`, [theirs.id]);
    const before = await hashOf(theirs.id);
    const first = await sql(
      `SELECT id, reference, status, "submittedAt" FROM applications WHERE id = ANY($1) ORDER BY id`,
      [mine.map(({ id }) => id)],
    );
    const whole = { ...landlord, ...agent, ...lease };
    const fields = Object.keys(whole);
    const answers = await several(1000, 10, async (n) => {
      const { token } = mine[n % mine.length] ?? { token: "" };
      const name = pick(["verify-token", "submit-step-1", "submit-step-2", "submit-step-3"] as const);
      const isTyped = n % 3 === 0;
      const data = {
        ...whole,
        ...hostileKeys(theirs.id, theirs.reference),
        ...(isTyped ? { [pick(fields)]: pick(objects) } : {}),
      };
      // Inserted as text: in an object literal, __proto__ sets the prototype instead of a key.
      const body = JSON.stringify({ token, id: theirs.id, reference: theirs.reference, data }).replace(
        '"data":{',
        `"__proto__":{"token":"${theirs.token}"},"data":{"__proto__":{"status":"approved"},`,
      );
      return send(app, `/api/v1/user/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    });
    same(answers.filter(({ status }) => status >= 500).length, 0, "answers of 5xx");
    same(answers.filter(({ text }) => /canary-b/i.test(text)).length, 0, "answers that tell of another's application");
    same(await hashOf(theirs.id), before, "hash of the other's row");
    same(
      await sql(`SELECT id, reference, status, "submittedAt" FROM applications WHERE id = ANY($1) ORDER BY id`, [
        mine.map(({ id }) => id),
      ]),
      first,
      "what only the house sets",
    );

    const { token, id } = await invited();
    await fillIn(app, token);
    const own = await hashOf(id);
    const steps = [
      ["submit-step-1", landlord],
      ["submit-step-2", agent],
      ["submit-step-3", lease],
    ] as const;
    let refused = 0;
    for (const [name, answersOfStep] of steps)
      for (const field of Object.keys(answersOfStep))
        for (const object of objects) {
          const { status } = await call(app, name, { token, data: { ...answersOfStep, [field]: object } });
          same(status, 422, `status with ${JSON.stringify(object)} for ${field}`);
          refused += 1;
        }
    same(await hashOf(id), own, "hash of the row after refusals");
    return `1,000 calls with another's id and extra keys (${tally(answers.map(({ status }) => status).sort())}): the other's row untouched, nothing of it told; ${refused} objects in place of strings: ${refused} × 422`;
  },
};

/** Headers that once bypassed Next's middleware (CVE-2025-29927 and later), and proxy.ts's internal one. */
const bypasses: Record<string, string>[] = [
  {},
  { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
  { "x-middleware-subrequest": "src/middleware:src/middleware:src/middleware:src/middleware:src/middleware" },
  { "x-middleware-rewrite": "/home", "x-middleware-next": "1" },
  { "x-nextjs-data": "1", "x-matched-path": "/home" },
  { "x-handoff": encodeURIComponent(JSON.stringify([makeToken(), "ba"])) },
  { "x-original-url": "/api/v1/user/verify-token", "x-rewrite-url": "/home", "x-invoke-path": "/home" },
];

const noGate: Promised = {
  number: 15,
  async prove({ app }) {
    const { token } = await invited({ firstName: "Canary-C" });
    await fillIn(app, token);
    await call(app, "submit-step-1", { token, data: { ...landlord, firstName: "Canary-C" } });
    let calls = 0;
    for (const headers of bypasses)
      for (const name of everyCall)
        for (const wrong of [undefined, makeToken()]) {
          const { status, text } = await call(
            app,
            name,
            { token: wrong, data: consent },
            { ...headers, "x-forwarded-for": newAddress() },
          );
          same(status, 401, `${name} with ${JSON.stringify(headers)}`);
          expect(!text.includes("Canary-C"), "an answer tells of an application");
          calls += 1;
        }
    let pages = 0;
    for (const headers of [...bypasses, { rsc: "1", "next-router-prefetch": "1" }, { rsc: "1" }])
      for (const path of ["/", "/landing", "/home", "/review&submit", "/submit-success"]) {
        const { text } = await send(app, path, { headers, redirect: "follow" });
        expect(!text.includes("Canary-C"), `${path} tells of an application`);
        pages += 1;
      }
    return `${calls} calls without a good token past the proxy (${bypasses.length} sets of headers): ${calls} × 401; ${pages} pages tell of no application`;
  },
};

const crossSite: Promised = {
  number: 16,
  async prove({ app, hashOf }) {
    const { token, id } = await invited();
    const before = await hashOf(id);
    const body = JSON.stringify({ token, data: landlord });
    const origin = { origin: "https://evil.example" };
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "",
      "application/jsonp",
      "text/json",
    ];
    const answers = [];
    for (const name of everyCall) {
      const path = `/api/v1/user/${name}`;
      for (const type of types) {
        const answer = await send(app, path, { method: "POST", headers: { ...origin, "content-type": type }, body });
        same(answer.status, 415, `status of ${name} as '${type}'`);
        answers.push(answer);
      }
      const headers = { ...origin, "content-type": "application/json", "sec-fetch-site": "cross-site" };
      const cross = await send(app, path, { method: "POST", headers, body });
      same(cross.status, 403, `status of a cross-site ${name}`);
      const preflight = {
        ...origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      };
      answers.push(cross, await send(app, path, { method: "OPTIONS", headers: preflight }));
    }
    answers.push(await send(app, "/", { headers: origin }), await send(app, "/api/health", { headers: origin }));
    const cors = answers.flatMap(({ headers }) =>
      [...headers.keys()].filter((name) => name.startsWith("access-control-")),
    );
    same(cors, [], "CORS headers");
    same(await hashOf(id), before, "hash of the row");
    return `${everyCall.length * types.length} POSTs that are not JSON × 415, ${everyCall.length} from another site × 403, 0 CORS headers on ${answers.length} answers, row unchanged`;
  },
};

export const strangers = [otherPeople, noGate, crossSite];
