import { randomInt } from "node:crypto";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { call, newAddress } from "@/__tests__/support/processes/call";
import { several } from "@/__tests__/support/processes/several";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import type { Promised, World } from "./support/world";

const allowed = 20;

/** How many of `count` guesses got 401; all others must be 429 with Retry-After. */
async function letThrough(count: number, app: (n: number) => App, forwarded: (n: number) => string): Promise<number> {
  const answers = await several(count, 16, (n) =>
    call(app(n), "verify-token", { token: makeToken() }, { "x-forwarded-for": forwarded(n) }),
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
  const through = await letThrough(1000, (n) => (n % 2 ? one : other), anyone);
  same(through, allowed, "guesses let through with a new X-Forwarded-For each, at two processes");
  const honest = await several(100, 10, () => call(one, "verify-token", { token }));
  same(new Set(honest.map(({ status }) => status)), new Set([200]), "statuses of a good link from the same address");
  for (const app of [one, other]) await app.end("SIGTERM");
}

async function behindProxies({ start }: World, trusted: number): Promise<void> {
  const app = await start({ settings: { TRUSTED_PROXIES: String(trusted) } });
  const own = newAddress();
  const proxies = Array.from({ length: trusted - 1 }, newAddress);
  const chain = (client: string) => [anyone(), anyone(), client, ...proxies].join(", ");
  same(
    await letThrough(
      200,
      () => app,
      () => chain(own),
    ),
    allowed,
    `guesses behind ${trusted} proxies`,
  );
  same(
    await letThrough(
      1,
      () => app,
      () => chain(newAddress()),
    ),
    1,
    "first guess of somebody else",
  );
  await app.end("SIGTERM");
}

async function withoutCounters({ start, sql }: World): Promise<void> {
  const app = await start();
  const own = newAddress();
  await sql("ALTER TABLE rate_limits RENAME TO rate_limits_away");
  try {
    same(
      await letThrough(
        100,
        () => app,
        () => own,
      ),
      allowed,
      "guesses let through while the counters are away",
    );
  } finally {
    await sql("ALTER TABLE rate_limits_away RENAME TO rate_limits");
  }
  await app.end("SIGTERM");
}

const guessing: Promised = {
  number: 12,
  async prove(world) {
    await withoutProxies(world);
    for (const trusted of [1, 2]) await behindProxies(world, trusted);
    await withoutCounters(world);
    return `1,000 wrong tokens at two processes, X-Forwarded-For rotated: ${allowed} × 401, ${1000 - allowed} × 429; the same ${allowed} behind 1 and 2 trusted proxies and from memory; 100 good calls from the blocked address 100 × 200`;
  },
};

export const guesses = [guessing];
