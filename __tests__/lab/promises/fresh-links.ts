import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { call, newAddress, submit } from "@/__tests__/support/processes/call";
import { median } from "@/__tests__/support/processes/figures";
import { revokeLinks } from "@/lib/server/invitations/links";
import { makeToken } from "@/lib/server/links/token";

const rounds = 600;
const most = 0.05;
const contact = { email: "invited@example.com", mobile: "61412345678" };
const expiry = `UPDATE links SET "expiresAt" = now() - interval '1 minute' WHERE "applicationId" = $1`;

type Target = Pick<World["app"], "url">;

const ask = (app: Target, token: string) => call(app, "fresh-link", { token }, { "x-forwarded-for": newAddress() });

/** Creates a token in each state that a difference between the responses would disclose. */
async function tokens({ app, sql }: World): Promise<Record<string, string>> {
  const kinds = ["expired", "revoked", "erased", "submitted"] as const;
  const issued = await Promise.all(kinds.map(async (kind) => [kind, await invited(contact)] as const));
  const { expired, revoked, erased, submitted } = Object.fromEntries(issued) as Record<string, (typeof issued)[0][1]>;
  await submit(app, submitted?.token ?? "");
  for (const target of [expired, submitted]) await sql(expiry, [target?.id]);
  await revokeLinks(revoked?.reference ?? "", "");
  await sql("SELECT erase_applications(ARRAY[$1::uuid], '')", [erased?.id]);
  return { unknown: makeToken(), ...Object.fromEntries(issued.map(([kind, { token }]) => [kind, token])) };
}

/** Sends requests in random order, because the worker's work overlaps later calls and must affect all kinds equally. */
async function measure(app: Target, tokens: Record<string, string>, times: Map<string, number[]>) {
  const row = Array.from({ length: rounds }, () => Object.entries(tokens)).flat();
  const shuffled = row.map((one) => ({ one, place: Math.random() })).sort((a, b) => a.place - b.place);
  const responses = new Set<string>();
  for (const { one } of shuffled) {
    const { status, text, headers, milliseconds } = await ask(app, one[1]);
    responses.add(`${status} ${text} ${[...headers.keys()].sort().join()}`);
    times.set(one[0], [...(times.get(one[0]) ?? []), milliseconds]);
  }
  return responses;
}

promise(47, async (world) => {
  const app = await world.start({ settings: { SMTP_URL: "smtp://127.0.0.1:9" } });
  const kinds = await tokens(world);
  for (let n = 0; n < 100; n += 1) await ask(app, makeToken());
  const times = new Map<string, number[]>();
  const medians = () => [...times.values()].map(median);
  const apart = () => Math.max(...medians()) / Math.min(...medians()) - 1;
  // On a busy machine the medians may differ by chance. Further rounds even that out, but do not hide a real difference.
  let measured = 0;
  do {
    const responses = await measure(app, kinds, times);
    same(responses.size, 1, `different responses (${[...responses].join(" | ")})`);
    measured += rounds;
  } while (apart() > most && measured < 4 * rounds);
  const figure = `${(apart() * 100).toFixed(1)} %`;
  const shown = medians().map((value) => value.toFixed(2));
  expect(apart() <= most, `medians of ${shown.join(", ")} ms: ${figure} apart`);
  return `${measured} requests each for ${Object.keys(kinds).join(", ")} tokens: 1 identical answer, medians within ${figure} (${Math.min(...medians()).toFixed(1)} ms)`;
});
