import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import { consent } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { call, fillIn, newAddress, send } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { makeToken } from "@/lib/server/links/token";

const allowed = 20;

/** These processes trust no proxy, so the socket's address counts, whatever X-Forwarded-For says. */
promise(8, async ({ start, sql }) => {
  const settings = { TRUSTED_PROXIES: "0", DATABASE_TIMEOUT_MS: "15000" };
  const apps = [await start({ settings }), await start({ settings })] as const;
  const appFor = (n: number) => apps[n % 2 ? 1 : 0];
  const { token, id } = await invited();
  await fillIn(appFor(0), token);
  const receipts = await runConcurrently(100, 50, (n) => call(appFor(n), "submit-final", { token, data: consent }));
  same(tally(receipts.map(({ status }) => status)), "100 × 200", "submissions to both");
  same(new Set(receipts.map(({ text }) => text)).size, 1, "different receipts");
  const records = await sql(`SELECT FROM consent_records WHERE "applicationId" = $1`, [id]);
  same(records.length, 1, "consent records");
  const second = await invited();
  const statuses = () =>
    runConcurrently(2, 2, async (n) => (await call(appFor(n), "verify-token", { token: second.token })).status);
  same(await statuses(), [200, 200], "statuses of a link");
  await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [second.id]);
  same(await statuses(), [401, 401], "statuses of a revoked link");
  // All guesses come from this machine's one address, and earlier refused calls already count towards its limit.
  await sql("DELETE FROM rate_limits");
  const guesses = await runConcurrently(60, 16, (n) =>
    call(appFor(n), "verify-token", { token: makeToken() }, { "x-forwarded-for": newAddress() }),
  );
  const figure = tally(guesses.map(({ status }) => status).sort());
  same(figure, `${allowed} × 401, ${60 - allowed} × 429`, "guesses at both, with another X-Forwarded-For each");
  return `two processes: 100 submissions 1 record; 60 guesses with another X-Forwarded-For each ${figure}; a revoked link 401 at both`;
});

const network = "2001:db8:37:38";

/** Returns a random address of the same /64, in either form that proxies write: plain, or in brackets with a port. */
function rotated(): string {
  const interfaceId = [1, 2, 3, 4].map(() => randomInt(1, 65_536).toString(16)).join(":");
  const address = `${network}:${interfaceId}`;
  return randomInt(2) ? address : `[${address}]:${randomInt(1024, 65_536)}`;
}

/** Opens a link as a browser does: requests the redirect, then the page with the cookie that the redirect has set. */
async function open(app: App, token: string, from: string) {
  const headers = { "x-forwarded-for": from };
  const redirect = await send(app, `/?token=${token}&source=ba`, { headers });
  same(redirect.status, 307, "status of a link");
  const [cookie = ""] = redirect.headers.getSetCookie().map((header) => header.split(";")[0]);
  return send(app, "/", { headers: { ...headers, cookie } });
}

promise(38, async ({ start }) => {
  const app = await start({ settings: { LOG_LEVEL: "info" } });
  const pages = await runConcurrently(1000, 8, () => open(app, makeToken(), rotated()));
  const { token, reference } = await invited({ firstName: "Ada" });
  const wrong = pages.filter(({ status, text }) => status >= 500 || text.includes(reference)).length;
  same(wrong, 0, "wrong links that failed or opened something");
  const good = await open(app, token, rotated());
  expect(good.status === 200 && good.text.includes(reference), "a good link from the limited /64 does not open");
  const ported = newAddress();
  await runConcurrently(100, 8, () => open(app, makeToken(), `${ported}:${randomInt(1024, 65_536)}`));
  await sleep(200);
  const output = app.output();
  const refusals = output.split("\n").filter((line) => line.includes('"refused"'));
  same(refusals.length, 1100, "log lines of refusals");
  const lines: { from?: string; status: number }[] = refusals.map((line) => JSON.parse(line));
  const limited = lines.filter(({ status }) => status === 429).length;
  // A limited page answers like every refused page, so only its log line shows the limit.
  same(limited, 1100 - 2 * allowed, "links that were refused by the limit, in the log");
  const clients = new Set(lines.map(({ from }) => from));
  same([clients.size, clients.has(undefined)], [2, false], "hashes in the log for two clients");
  expect(!output.includes(network) && !output.includes(ported), "an address stands in the log");
  return `1,000 wrong links as pages from one /64, a new address and port each: ${allowed} refused as unknown, ${1000 - allowed} by the limit; 100 by port alone: ${allowed} refused as unknown; a good link from there opens; 1,100 refusals, 1,100 log lines, no address in clear`;
});
