import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { newAddress, send } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const allowed = 20;
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

const wrongLinks: Promised = {
  number: 38,
  async prove({ start }) {
    const app = await start({ settings: { LOG_LEVEL: "info" } });
    const answers = await several(1000, 8, () => open(app, makeToken(), rotated()));
    const statuses = answers.map(({ status }) => status);
    same(statuses.filter((status) => status === 200).length, allowed, `pages before the limit (${tally(statuses)})`);
    same(statuses.filter((status) => status === 429).length, 1000 - allowed, `pages with 429 (${tally(statuses)})`);
    for (const { status, headers } of answers)
      expect(status !== 429 || Number(headers.get("retry-after")) > 0, "a 429 without Retry-After");

    const { token, reference } = await invited({ firstName: "Ada" });
    const good = await open(app, token, rotated());
    expect(good.status === 200 && good.text.includes(reference), "a good link from the limited /64 does not open");

    const ported = newAddress();
    const byPort = await several(100, 8, () => open(app, makeToken(), `${ported}:${randomInt(1024, 65_536)}`));
    same(
      byPort.filter(({ status }) => status === 200).length,
      allowed,
      "pages before the limit, with another port each",
    );

    await sleep(200);
    const output = app.output();
    const lines = output.split("\n").filter((line) => line.includes('"refused"'));
    same(lines.length, 1100, "log lines of refusals");
    const from = new Set(lines.map((line) => JSON.parse(line).from));
    same([from.size, from.has(undefined)], [2, false], "hashes in the log for two clients");
    expect(!output.includes(network) && !output.includes(ported), "an address stands in the log");
    await app.end("SIGTERM");
    return `1,000 wrong links as pages from one /64, a new address and port each: ${allowed} refused as pages, then ${1000 - allowed} × 429; 100 by port alone: ${allowed}, then 429; a good link from there opens; 1,100 refusals, 1,100 log lines, no address in clear`;
  },
};

export const wrong = [wrongLinks];
