import { createHash } from "node:crypto";
import { consent, landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, everyCall, fillIn, newAddress } from "@/__tests__/support/processes/call";
import { makeToken } from "@/lib/server/links/token";
import { dumpOf } from "./support/dump";
import { expect, same } from "./support/expect";
import { skewedClock } from "./support/skewed-clock";
import { promise, type World } from "./support/world";

/** How many bits are set more than 6 standard deviations too often or too rarely. */
function biasedBits(tokens: string[]): number {
  const bytes = tokens.map((token) => Buffer.from(token, "base64url"));
  const spread = 6 * Math.sqrt(tokens.length / 4);
  const counts = Array.from({ length: 256 }, (_, bit) =>
    bytes.reduce((count, one) => count + (((one[bit >> 3] ?? 0) >> (bit & 7)) & 1), 0),
  );
  return counts.filter((count) => Math.abs(count - tokens.length / 2) > spread).length;
}

const revoke = ({ sql }: World, id: string) =>
  sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [id]);

promise(11, async (world) => {
  const { app, database, sql } = world;
  const made = Array.from({ length: 4000 }, makeToken);
  const lengths = new Set(made.map((token) => Buffer.from(token, "base64url").length));
  same([new Set(made).size, lengths, biasedBits(made)], [4000, new Set([32]), 0], "tokens, their bytes, biased bits");

  const { token, id } = await invited();
  await fillIn(app, token);
  await call(app, "submit-final", { token, data: consent });
  const [link] = await sql(
    `SELECT encode("tokenHash", 'hex') AS hash FROM link_tokens t JOIN links l ON l.id = t."linkId" WHERE l."applicationId" = $1`,
    [id],
  );
  same(link?.hash, createHash("sha256").update(token).digest("hex"), "what the database holds of a token");
  const dump = JSON.stringify(await dumpOf(database));
  const bytes = Buffer.from(token, "base64url");
  const forms = [token, bytes.toString("hex"), bytes.toString("base64"), Buffer.from(token).toString("hex")];
  for (const form of forms) expect(!dump.includes(form), "a dump holds a token that can be used");

  const [expired, revoked] = [await invited({}, { expiresInDays: -1 }), await invited()];
  await revoke(world, revoked.id);
  const tampered = token.slice(0, -2) + (token.endsWith("AA") ? "BA" : "AA");
  const wrong = [makeToken(), expired.token, revoked.token, tampered, "", "short", null, { equals: token }, [token]];
  const answers = new Set<string>();
  for (const name of everyCall) {
    const from = { "x-forwarded-for": newAddress() };
    for (const one of wrong) {
      const { status, text, headers } = await call(app, name, { token: one, data: consent }, from);
      answers.add(`${status} ${text} ${[...headers.keys()].sort()}`);
    }
  }
  same(answers.size, 1, `different answers to wrong tokens (${[...answers].join(" | ").slice(0, 600)})`);
  return `tokens of 256 bits, none biased in ${made.length}; a dump of ${dump.length} characters holds none; ${wrong.length} kinds of wrong token × ${everyCall.length} calls: 1 identical answer`;
});

promise(14, async (world) => {
  const { app, start } = world;
  for (let n = 0; n < 20; n += 1) {
    const { token, id } = await invited();
    const from = { "x-forwarded-for": newAddress() };
    same((await call(app, "submit-step-1", { token, data: landlord }, from)).status, 200, "status before");
    await revoke(world, id);
    const name = everyCall[n % everyCall.length] ?? "submit";
    same((await call(app, name, { token, data: landlord }, from)).status, 401, `status of ${name} after a revocation`);
  }
  const [alive, expired] = [await invited(), await invited({}, { expiresInDays: -1 })];
  for (const days of [-365, 365]) {
    const skewed = await start({ settings: { NODE_OPTIONS: skewedClock(days, world.folder()) } });
    const from = { "x-forwarded-for": newAddress() };
    const status = async (token: string) => (await call(skewed, "verify-token", { token }, from)).status;
    const found = [await status(alive.token), await status(expired.token)];
    same(found, [200, 401], `live and expired link, where the app's clock is off by ${days} days`);
  }
  return "20 revocations: 20 refused on the next call; with the app's clock a year slow or fast, live links open and expired ones do not";
});
