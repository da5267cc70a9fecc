import { createHash } from "node:crypto";
import { consent, landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, everyCall, fillIn, newAddress } from "@/__tests__/support/processes/call";
import { makeToken } from "@/lib/server/links/token";
import { dumpOf } from "./support/dump";
import { expect, same } from "./support/expect";
import { skewedClock } from "./support/skewed-clock";
import type { Promised } from "./support/world";

/** How many bits are set more than 6 standard deviations too often or too rarely. */
function biasedBits(tokens: string[]): number {
  const counts = new Array<number>(256).fill(0);
  for (const token of tokens) {
    const bytes = Buffer.from(token, "base64url");
    for (let bit = 0; bit < 256; bit += 1)
      if ((bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) counts[bit] = (counts[bit] ?? 0) + 1;
  }
  const spread = 6 * Math.sqrt(tokens.length / 4);
  return counts.filter((count) => Math.abs(count - tokens.length / 2) > spread).length;
}

const secret: Promised = {
  number: 11,
  async prove({ app, database, sql }) {
    const made = Array.from({ length: 4000 }, makeToken);
    same(
      [new Set(made).size, new Set(made.map((token) => Buffer.from(token, "base64url").length))],
      [4000, new Set([32])],
      "tokens",
    );
    same(biasedBits(made), 0, "biased bits of 256");

    const { token, id } = await invited();
    await fillIn(app, token);
    await call(app, "submit-final", { token, data: consent });
    const [link] = await sql<{ tokenHash: Buffer }>(
      `SELECT "tokenHash" FROM link_tokens t JOIN links l ON l.id = t."linkId" WHERE l."applicationId" = $1`,
      [id],
    );
    expect(
      link?.tokenHash.equals(createHash("sha256").update(token).digest()),
      "the database holds no SHA-256 of the token",
    );
    const dump = JSON.stringify(await dumpOf(database));
    const bytes = Buffer.from(token, "base64url");
    const forms = [token, bytes.toString("hex"), bytes.toString("base64"), Buffer.from(token).toString("hex")];
    for (const form of forms) expect(!dump.includes(form), "a dump holds a token that can be used");

    const expired = await invited({}, { expiresInDays: -1 });
    const revoked = await invited();
    await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [revoked.id]);
    const tampered = token.slice(0, -2) + (token.endsWith("AA") ? "BA" : "AA");
    const wrong = [makeToken(), expired.token, revoked.token, tampered, "", "short", null, { equals: token }, [token]];
    const answers = new Set<string>();
    for (const name of everyCall) {
      const from = { "x-forwarded-for": newAddress() };
      for (const one of wrong) {
        const { status, text, headers } = await call(app, name, { token: one, data: consent }, from);
        const named = [...headers.keys()].sort().join();
        answers.add(`${status} ${text} ${named}`);
      }
    }
    same(answers.size, 1, `different answers to wrong tokens (${[...answers].join(" | ").slice(0, 600)})`);
    return `tokens of 256 bits, none biased in ${made.length}; a dump of ${dump.length} characters holds none; ${wrong.length} kinds of wrong token × 6 calls: 1 identical answer`;
  },
};

const revocation: Promised = {
  number: 14,
  async prove({ app, start, sql, postgres }) {
    let stopped = 0;
    for (let n = 0; n < 20; n += 1) {
      const { token, id } = await invited();
      const from = { "x-forwarded-for": newAddress() };
      same((await call(app, "submit-step-1", { token, data: landlord }, from)).status, 200, "status before");
      await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [id]);
      const name = everyCall[n % everyCall.length] ?? "submit";
      if ((await call(app, name, { token, data: landlord }, from)).status === 401) stopped += 1;
    }
    same(stopped, 20, "revocations that took effect on the next call");
    const alive = await invited();
    const expired = await invited({}, { expiresInDays: -1 });
    const seen: string[] = [];
    for (const days of [-365, 365]) {
      const skewed = await start({ settings: { NODE_OPTIONS: skewedClock(days, postgres.folder) } });
      const from = { "x-forwarded-for": newAddress() };
      for (const { token } of [alive, expired])
        seen.push(`${(await call(skewed, "verify-token", { token }, from)).status}`);
      await skewed.end("SIGTERM");
    }
    same(
      seen,
      ["200", "401", "200", "401"],
      "live and expired link, where the app's clock is a year slow and a year fast",
    );
    return "20 revocations: 20 refused on the next call; with the app's clock a year slow or fast, live links open and expired ones do not";
  },
};

export const tokens = [secret, revocation];
