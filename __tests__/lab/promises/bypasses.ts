import { expect } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn, send } from "@/__tests__/support/processes/call";
import { writeHandoff } from "@/lib/domain/handoff";

/**
 * Headers that once bypassed Next's middleware (CVE-2025-29927 and later), and the internal header of proxy.ts with a token that
 * works. The proxy must delete that header, so that only its own redirect and cookie can open an application.
 */
const bypassesWith = (token: string): Record<string, string>[] => [
  {},
  { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
  { "x-middleware-subrequest": "src/middleware:src/middleware:src/middleware:src/middleware:src/middleware" },
  { "x-middleware-rewrite": "/home", "x-middleware-next": "1" },
  { "x-nextjs-data": "1", "x-matched-path": "/home" },
  { "x-handoff": writeHandoff({ token, source: "ba" }) },
  { "x-original-url": "/api/v1/user/verify-token", "x-rewrite-url": "/home", "x-invoke-path": "/home" },
];

promise(15, async ({ app }) => {
  const { token } = await invited({ firstName: "Canary-C" });
  await fillIn(app, token);
  await call(app, "submit-step-1", { token, data: { ...landlord, firstName: "Canary-C" } });
  const bypasses = bypassesWith(token);
  let pages = 0;
  for (const headers of [...bypasses, { rsc: "1", "next-router-prefetch": "1" }, { rsc: "1" }])
    for (const path of ["/", "/landing", "/home", "/review&submit", "/submit-success"]) {
      const { text } = await send(app, path, { headers, redirect: "follow" });
      expect(!text.includes("Canary-C"), `${path} shows an application`);
      pages += 1;
    }
  return `${pages} pages past the proxy (${bypasses.length} sets of headers, one of them a forged x-handoff with a working token) show no application`;
});
