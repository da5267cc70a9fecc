import { consent, landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn, newAddress, send } from "@/__tests__/support/processes/call";
import { median } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { revokeLinks } from "@/lib/server/invitations/links";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import type { Promised, World } from "./support/world";

const rounds = 600;
const most = 0.05;
const contact = { email: "invited@example.com", mobile: "61412345678" };
const expiry = `UPDATE links SET "expiresAt" = now() - interval '1 minute' WHERE "applicationId" = $1`;

type Target = Pick<World["app"], "url">;

const ask = (app: Target, token: string) =>
  send(app, "/api/v1/user/fresh-link", {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": newAddress() },
    body: JSON.stringify({ token }),
  });

/** A token of each kind that could be told apart. */
async function kinds({ app, sql }: World): Promise<Record<string, string>> {
  const [expired, revoked, erased, submitted] = [
    await invited(contact),
    await invited(contact),
    await invited(contact),
    await invited(contact),
  ];
  await fillIn(app, submitted.token);
  await call(app, "submit-final", { token: submitted.token, data: consent });
  for (const { id } of [expired, submitted]) await sql(expiry, [id]);
  await revokeLinks(revoked.reference, "");
  await sql("SELECT erase_applications(ARRAY[$1::uuid], '')", [erased.id]);
  return {
    unknown: makeToken(),
    expired: expired.token,
    revoked: revoked.token,
    erased: erased.token,
    submitted: submitted.token,
  };
}

class Comparison {
  readonly answers = new Set<string>();
  readonly #times: Record<string, number[]> = {};

  /** In one shuffled row: what follows an answer overlaps with the next call, and has to meet all kinds alike. */
  async measure(app: Target, tokens: Record<string, string>): Promise<void> {
    const row = Array.from({ length: rounds }, () => Object.entries(tokens)).flat();
    const order = row.map((one) => ({ one, place: Math.random() })).sort((a, b) => a.place - b.place);
    for (const { one } of order) {
      const [kind, token] = one;
      const { status, text, headers, milliseconds } = await ask(app, token);
      this.answers.add(`${status} ${text} ${[...headers.keys()].sort().join()}`);
      this.#times[kind] ??= [];
      this.#times[kind].push(milliseconds);
    }
  }

  get medians(): number[] {
    return Object.values(this.#times).map(median);
  }

  /** By how much the slowest kind is slower than the fastest. */
  get apart(): number {
    return Math.max(...this.medians) / Math.min(...this.medians) - 1;
  }
}

/** On a busy machine the medians of one lot may be apart by chance; what a kind really takes longer more lots do not hide. */
async function compare(app: Target, tokens: Record<string, string>) {
  const found = new Comparison();
  for (let n = 0; n < 100; n += 1) await ask(app, makeToken());
  let lots = 0;
  do {
    await found.measure(app, tokens);
    lots += 1;
  } while (found.apart > most && lots < 4);
  return { answers: found.answers, medians: found.medians, apart: found.apart, wishes: lots * rounds };
}

const lots = 10;

/** A hundred wishes in ten lots: all of them on one day, or each lot a day after the one before. */
async function crowd(app: Target, { sql }: World, isDaily: boolean) {
  const { id, token } = await invited(contact);
  await call(app, "submit-step-1", { token, data: { ...landlord, email: "edited@example.com" } });
  await sql(expiry, [id]);
  for (let lot = 0; lot < lots; lot += 1) {
    if (isDaily) {
      await sql(`UPDATE messages SET "createdAt" = "createdAt" - interval '1 day' WHERE "applicationId" = $1`, [id]);
      await sql(`UPDATE applications SET "updatedAt" = "updatedAt" - interval '1 day' WHERE id = $1`, [id]);
    }
    await several(100 / lots, 100 / lots, () => ask(app, token));
    // What follows the last answer.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return sql<{ kind: string; recipient: string }>(`SELECT kind, recipient FROM messages WHERE "applicationId" = $1`, [
    id,
  ]);
}

export const freshLinks: Promised = {
  number: 47,
  async prove(world) {
    const app = await world.start({ settings: { SMTP_URL: "smtp://127.0.0.1:9", WORKER: "off" } });
    try {
      const tokens = await kinds(world);
      const { answers, medians, apart, wishes } = await compare(app, tokens);
      same([...answers].length, 1, `different answers (${[...answers].join(" | ")})`);
      const figure = `${(apart * 100).toFixed(1)} %`;
      expect(apart <= most, `medians of ${medians.map((one) => one.toFixed(2)).join(", ")} ms: ${figure} apart`);
      const [atOnce, daily] = [await crowd(app, world, false), await crowd(app, world, true)];
      same([atOnce.length, daily.length], [1, 5], "messages of 100 wishes on one day, and on ten days");
      for (const { kind, recipient } of [...atOnce, ...daily])
        same([kind, recipient], ["fresh-link", contact.email], "message");
      return `${wishes} wishes each for ${Object.keys(tokens).join(", ")} tokens: 1 identical answer, medians within ${figure} (${Math.min(...medians).toFixed(1)} ms); 100 wishes of one: 1 message on one day, 5 on ten days, each to the invited address`;
    } finally {
      await app.end("SIGTERM");
    }
  },
};
