import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { consent } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { call, fillIn, newAddress, send } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import { promise, type World } from "./support/world";

const allowed = 20;

promise(8, async ({ app, start, sql }) => {
  const other = await start();
  const either = (n: number) => (n % 2 ? app : other);
  const { token, id } = await invited();
  await fillIn(app, token);
  const receipts = await several(100, 50, (n) => call(either(n), "submit-final", { token, data: consent }));
  same(tally(receipts.map(({ status }) => status)), "100 × 200", "submissions to both");
  same(new Set(receipts.map(({ text }) => text)).size, 1, "different receipts");
  const records = await sql(`SELECT FROM consent_records WHERE "applicationId" = $1`, [id]);
  same(records.length, 1, "consent records");
  const own = newAddress();
  const through = await guess(60, either, () => own);
  same(through, allowed, "guesses let through by both together");
  const second = await invited();
  const statuses = async () => [
    (await call(app, "verify-token", { token: second.token })).status,
    (await call(other, "verify-token", { token: second.token })).status,
  ];
  same(await statuses(), [200, 200], "statuses of a link");
  await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [second.id]);
  same(await statuses(), [401, 401], "statuses of a revoked link");
  return `two processes: 100 submissions 1 record, 60 guesses ${through} × 401, ${60 - through} × 429, a revoked link 401 on both at once`;
});

/** How many of so many guesses got 401; all others must be 429 with Retry-After. */
async function guess(count: number, app: (n: number) => App, forwarded: () => string): Promise<number> {
  const answers = await several(count, 16, (n) =>
    call(app(n), "verify-token", { token: makeToken() }, { "x-forwarded-for": forwarded() }),
  );
  const refused = answers.filter(({ status }) => status === 429);
  const through = answers.filter(({ status }) => status === 401).length;
  same(through + refused.length, count, "answers that are 401 or 429");
  for (const { headers } of refused) expect(Number(headers.get("retry-after")) > 0, "a 429 without Retry-After");
  return through;
}

const anyone = () => [1, 2, 3, 4].map(() => randomInt(1, 255)).join(".");

async function withoutProxies({ start, sql }: World): Promise<void> {
  const settings = { TRUSTED_PROXIES: "0" };
  const [one, other] = [await start({ settings }), await start({ settings })];
  // All calls come from this machine's one address, so earlier ones have counted already.
  await sql("DELETE FROM rate_limits");
  const { token } = await invited();
  const through = await guess(1000, (n) => (n % 2 ? one : other), anyone);
  same(through, allowed, "guesses let through with a new X-Forwarded-For each, at two processes");
  const good = await several(100, 10, () => call(one, "verify-token", { token }));
  same(tally(good.map(({ status }) => status)), "100 × 200", "statuses of a good link from the same address");
}

async function behindProxies({ start }: World, trusted: number): Promise<void> {
  const app = await start({ settings: { TRUSTED_PROXIES: String(trusted) } });
  const own = newAddress();
  const proxies = Array.from({ length: trusted - 1 }, newAddress);
  const from = (client: string) => () => [anyone(), anyone(), client, ...proxies].join(", ");
  same(await guess(200, () => app, from(own)), allowed, `guesses behind ${trusted} proxies`);
  same(await guess(1, () => app, from(newAddress())), 1, "first guess of somebody else");
}

promise(12, async (world) => {
  await withoutProxies(world);
  for (const trusted of [1, 2]) await behindProxies(world, trusted);
  const app = await world.start();
  const own = newAddress();
  await world.sql("ALTER TABLE rate_limits RENAME TO rate_limits_away");
  world.after(() => world.sql("ALTER TABLE rate_limits_away RENAME TO rate_limits"));
  same(
    await guess(
      100,
      () => app,
      () => own,
    ),
    allowed,
    "guesses let through while the counters are away",
  );
  return `1,000 wrong tokens at two processes, X-Forwarded-For rotated: ${allowed} × 401, ${1000 - allowed} × 429; the same ${allowed} behind 1 and 2 trusted proxies and from memory; 100 good calls from the blocked address 100 × 200`;
});

const network = "2001:db8:37:38";

/** Another address of the same /64 each time, with another port, in one of the ways in which proxies write it. */
function rotated(): string {
  const own = [1, 2, 3, 4].map(() => randomInt(1, 65_536).toString(16)).join(":");
  const address = `${network}:${own}`;
  return randomInt(2) ? address : `[${address}]:${randomInt(1024, 65_536)}`;
}

/** Opens a link as a browser does: the redirect first, then the page with the cookie that it set. */
async function open(app: App, token: string, from: string) {
  const headers = { "x-forwarded-for": from };
  const redirect = await send(app, `/?token=${token}&source=ba`, { headers });
  same(redirect.status, 307, "status of a link");
  const [cookie = ""] = redirect.headers.getSetCookie().map((one) => one.split(";")[0]);
  return send(app, "/", { headers: { ...headers, cookie } });
}

promise(38, async ({ start }) => {
  const app = await start({ settings: { LOG_LEVEL: "info" } });
  const pages = await several(1000, 8, () => open(app, makeToken(), rotated()));
  const { token, reference } = await invited({ firstName: "Ada" });
  const shown = pages.filter(({ status, text }) => status >= 500 || text.includes(reference)).length;
  same(shown, 0, "wrong links that failed or opened something");
  const good = await open(app, token, rotated());
  expect(good.status === 200 && good.text.includes(reference), "a good link from the limited /64 does not open");
  const ported = newAddress();
  await several(100, 8, () => open(app, makeToken(), `${ported}:${randomInt(1024, 65_536)}`));
  await sleep(200);
  const output = app.output();
  const refusals = output.split("\n").filter((line) => line.includes('"refused"'));
  same(refusals.length, 1100, "log lines of refusals");
  const lines: { from?: string; status: number }[] = refusals.map((line) => JSON.parse(line));
  const limited = lines.filter(({ status }) => status === 429).length;
  // A page may answer as every refused page does, but its log line names the limit.
  same(limited, 1100 - 2 * allowed, "links that were refused by the limit, in the log");
  const clients = new Set(lines.map(({ from }) => from));
  same([clients.size, clients.has(undefined)], [2, false], "hashes in the log for two clients");
  expect(!output.includes(network) && !output.includes(ported), "an address stands in the log");
  return `1,000 wrong links as pages from one /64, a new address and port each: ${allowed} looked up, ${1000 - allowed} refused by the limit; 100 by port alone: ${allowed} looked up; a good link from there opens; 1,100 refusals, 1,100 log lines, no address in clear`;
});
