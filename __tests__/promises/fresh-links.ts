import { consent, landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn, newAddress, send } from "@/__tests__/support/processes/call";
import { median } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { makeToken } from "@/lib/server/access/token";
import { eraseApplication } from "@/lib/server/applications/erase";
import { revokeLinks } from "@/lib/server/invitations/links";
import { expect, same } from "./support/expect";
import type { Promised, World } from "./support/world";

const rounds = 600;
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
  await eraseApplication(erased.reference, "");
  return {
    unknown: makeToken(),
    expired: expired.token,
    revoked: revoked.token,
    erased: erased.token,
    submitted: submitted.token,
  };
}

/** The kinds in turn, each round in another order, so that what else the machine does meets all of them alike. */
async function compare(app: Target, tokens: Record<string, string>) {
  const answers = new Set<string>();
  const times = new Map(Object.keys(tokens).map((kind): [string, number[]] => [kind, []]));
  for (let round = -20; round < rounds; round += 1) {
    const order = Object.entries(tokens).sort(() => Math.random() - 0.5);
    for (const [kind, token] of order) {
      const { status, text, headers, milliseconds } = await ask(app, token);
      answers.add(`${status} ${text} ${[...headers.keys()].sort().join()}`);
      // The first rounds warm up.
      if (round >= 0) times.get(kind)?.push(milliseconds);
    }
  }
  return { answers, medians: [...times.values()].map(median) };
}

/** A hundred wishes in four lots, each as if ten minutes after the one before. */
async function crowd(app: Target, { sql }: World) {
  const { id, token } = await invited(contact);
  await call(app, "submit-step-1", { token, data: { ...landlord, email: "edited@example.com" } });
  await sql(expiry, [id]);
  for (let lot = 0; lot < 4; lot += 1) {
    await sql(`UPDATE messages SET "createdAt" = "createdAt" - interval '10 minutes' WHERE "applicationId" = $1`, [id]);
    await several(25, 25, () => ask(app, token));
    // What follows the last answer.
    await new Promise((resolve) => setTimeout(resolve, 1000));
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
      const { answers, medians } = await compare(app, tokens);
      same([...answers].length, 1, `different answers (${[...answers].join(" | ")})`);
      const apart = Math.max(...medians) / Math.min(...medians) - 1;
      const figure = `${(apart * 100).toFixed(1)} %`;
      expect(apart <= 0.05, `medians of ${medians.map((one) => one.toFixed(2)).join(", ")} ms: ${figure} apart`);
      const made = await crowd(app, world);
      same(made.length, 3, "messages of 100 wishes");
      for (const { kind, recipient } of made) same([kind, recipient], ["fresh-link", contact.email], "message");
      return `${rounds} wishes each for ${Object.keys(tokens).join(", ")} tokens: 1 identical answer, medians within ${figure} (${Math.min(...medians).toFixed(1)} ms); 100 wishes of one: 3 messages, each to the invited address`;
    } finally {
      await app.end("SIGTERM");
    }
  },
};
