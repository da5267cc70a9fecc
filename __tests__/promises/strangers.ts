import { consent, landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, everyCall, fillIn, newAddress, send } from "@/__tests__/support/processes/call";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import { promise } from "./support/world";

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

promise(15, async ({ app }) => {
  const { token } = await invited({ firstName: "Canary-C" });
  await fillIn(app, token);
  await call(app, "submit-step-1", { token, data: { ...landlord, firstName: "Canary-C" } });
  let calls = 0;
  for (const headers of bypasses)
    for (const name of everyCall)
      for (const wrong of [undefined, makeToken()]) {
        const from = { ...headers, "x-forwarded-for": newAddress() };
        const { status, text } = await call(app, name, { token: wrong, data: consent }, from);
        same([status, text.includes("Canary-C")], [401, false], `${name} with ${JSON.stringify(headers)}`);
        calls += 1;
      }
  let pages = 0;
  for (const headers of [...bypasses, { rsc: "1", "next-router-prefetch": "1" }, { rsc: "1" }])
    for (const path of ["/", "/landing", "/home", "/review&submit", "/submit-success"]) {
      const { text } = await send(app, path, { headers, redirect: "follow" });
      expect(!text.includes("Canary-C"), `${path} shows an application`);
      pages += 1;
    }
  return `${calls} calls without a good token past the proxy (${bypasses.length} sets of headers): ${calls} × 401; ${pages} pages show no application`;
});

const origin = { origin: "https://evil.example" };
const types = [
  ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
  ...["application/jsonp", "text/json"],
];

promise(16, async ({ app, hashOf }) => {
  const { token, id } = await invited();
  const before = await hashOf(id);
  const body = JSON.stringify({ token, data: landlord });
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
    const asked = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" };
    answers.push(cross, await send(app, path, { method: "OPTIONS", headers: { ...origin, ...asked } }));
  }
  for (const path of ["/", "/api/health"]) answers.push(await send(app, path, { headers: origin }));
  const cors = answers.flatMap(({ headers }) =>
    [...headers.keys()].filter((name) => name.startsWith("access-control-")),
  );
  same(cors, [], "CORS headers");
  same(await hashOf(id), before, "hash of the row");
  return `${everyCall.length * types.length} POSTs that are not JSON × 415, ${everyCall.length} from another site × 403, 0 CORS headers on ${answers.length} answers, row unchanged`;
});
