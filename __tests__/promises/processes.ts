import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { consent, landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn, newAddress } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const politeEnd: Promised = {
  number: 7,
  async prove({ start, database, sql }) {
    const app = await start();
    const landlords = await several(8, 4, () => invited());
    // Warm-up, so that only the saves are in flight and no connection set-up.
    for (const { token } of landlords) await call(app, "submit-step-1", { token, data: landlord });
    const client = new Client({ connectionString: database });
    await client.connect();
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM applications WHERE id = ANY($1) FOR UPDATE", [landlords.map(({ id }) => id)]);
    const inFlight = landlords.map(({ token }) =>
      call(app, "submit-step-1", { token, data: { ...landlord, firstName: "In flight" } }).then(
        ({ status }) => status,
        () => "cut off",
      ),
    );
    await sleep(300);
    const begun = performance.now();
    const ended = app.end("SIGTERM");
    await sleep(200);
    const refused = await fetch(`${app.url}/api/health`).then(
      () => false,
      (error) => error.cause?.code === "ECONNREFUSED",
    );
    await client.query("COMMIT");
    await client.end();
    same(tally(await Promise.all(inFlight)), "8 × 200", "requests in flight");
    expect(refused, "a new connection was taken after SIGTERM");
    const code = await Promise.race([ended, sleep(10_000).then(() => "still running")]);
    same(code, 0, "exit code");
    const rows = await sql(`SELECT 1 FROM applications WHERE id = ANY($1) AND "firstName" = 'In flight'`, [
      landlords.map(({ id }) => id),
    ]);
    same(rows.length, 8, "saves in flight that were kept");
    return `SIGTERM: 8 saves in flight 8 × 200 and kept, new connections refused, ended after ${Math.round(performance.now() - begun)} ms with 0`;
  },
};

const asOne: Promised = {
  number: 8,
  async prove({ app, start, sql }) {
    const other = await start();
    const either = (n: number) => (n % 2 ? app : other);
    const { token, id } = await invited();
    await fillIn(app, token);
    const receipts = await several(100, 50, (n) => call(either(n), "submit-final", { token, data: consent }));
    same(tally(receipts.map(({ status }) => status)), "100 × 200", "submissions to both");
    same(new Set(receipts.map(({ text }) => text)).size, 1, "different receipts");
    const records = await sql(`SELECT 1 FROM consent_records WHERE "applicationId" = $1`, [id]);
    same(records.length, 1, "consent records");

    const headers = { "x-forwarded-for": newAddress() };
    const guesses = await several(60, 6, (n) => call(either(n), "verify-token", { token: makeToken() }, headers));
    const statuses = guesses.map(({ status }) => status);
    same(statuses.filter((status) => status === 401).length, 20, "guesses let through by both together");

    const second = await invited();
    for (const one of [app, other])
      same((await call(one, "verify-token", { token: second.token })).status, 200, "link");
    await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [second.id]);
    for (const one of [app, other])
      same((await call(one, "verify-token", { token: second.token })).status, 401, "revoked link");
    await other.end("SIGTERM");
    return `two processes: 100 submissions 1 record, 60 guesses ${tally(statuses.sort())}, a revoked link 401 on both at once`;
  },
};

export const processes = [politeEnd, asOne];
