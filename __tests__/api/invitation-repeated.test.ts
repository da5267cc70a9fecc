import { createHash, createHmac } from "node:crypto";
import { freshDatabase } from "@/__tests__/support/database";
import { alex, look, order, refused, tokenOf } from "@/__tests__/support/invitation-calls";
import { reportFigure, size } from "@/__tests__/support/size";
import { withSettings } from "@/__tests__/support/with-settings";
import { eraseApplication } from "@/lib/server/applications/erase";
import { createKey } from "@/lib/server/invitations/api-keys";
import { findByToken } from "@/lib/server/links/find-by-token";
import { currentSettings } from "@/lib/server/settings";

const { sql, countRows, untilBlocked, appUrl } = freshDatabase();
process.env.SMTP_URL = "smtp://127.0.0.1:9";

let key = "";
beforeAll(async () => {
  // Only operations may create keys. This process acts as both roles.
  await sql(`GRANT INSERT, UPDATE ON api_keys TO "${new URL(appUrl).username}"`);
  key = await createKey("crm", ["create", "read"], "Ines");
});

test("many simultaneous requests with one Idempotency-Key, which was used before, create one invitation and one message, and get the same response", async () => {
  await order(key, "order-1");
  await sql(`UPDATE api_requests SET "createdAt" = now() - interval '25 hours' WHERE "idempotencyKey" = 'order-1'`);
  const rows = async () => [await countRows("applications"), await countRows("messages WHERE kind = 'invitation'")];
  const rowsBefore = await rows();
  const body = { ...alex, email: "once@mail.example", send: true };
  const count = size(40, 200);
  const all = await Promise.all(Array.from({ length: count }, () => order(key, "order-1", body)));
  // A call that waits too long gets 503. A retry with the same key gets the response of the others.
  const busy = all.filter(({ status }) => status === 503).length;
  expect(busy).toBeLessThan(count / 2);
  expect(new Set(all.map(({ status }) => status).filter((status) => status !== 503))).toEqual(new Set([201]));
  const again = await order(key, "order-1", body);
  // Only the landlord gets a link. What is kept for a repeated request, together with the key, gives none.
  const [kept] = await sql(`SELECT salt FROM api_requests WHERE "idempotencyKey" = 'order-1'`);
  const derived = createHmac("sha256", key).update(`${kept?.salt}.0`).digest("base64url");
  expect(await findByToken(derived, "")).toBeNull();
  for (const { body } of all.filter(({ status }) => status === 201)) expect(body.data).toEqual(again.body.data);
  expect(await rows()).toEqual(rowsBefore.map((n) => n + 1));
  reportFigure(
    76,
    `${count} invitations at once with one Idempotency-Key: 1 invitation, 1 message, ${count - busy} × 201`,
  );
});

test("a repeated request gets the same link, which the database does not hold; another body gets 422", async () => {
  const first = await order(key, "order-2");
  const replayed = await order(key, "order-2");
  expect(replayed.body.data).toEqual(first.body.data);
  const markOf = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed");
  expect([markOf(first), markOf(replayed)]).toEqual([null, "true"]);
  const token = tokenOf(first.body.data?.link);
  expect(await findByToken(token, "")).not.toBeNull();
  expect(JSON.stringify(await sql("SELECT * FROM api_requests"))).not.toContain(token);
  // Without the key, nobody can find the mobile by hashing every body that it could have been sent in.
  const guess = createHash("sha256").update(JSON.stringify(alex)).digest("hex");
  expect(JSON.stringify(await sql(`SELECT "bodyHash" FROM api_requests`))).not.toContain(guess);
  const otherBody = refused(422, "This Idempotency-Key was used with another body in the last 24 hours");
  expect(await order(key, "order-2", { ...alex, firstName: "Bo" })).toMatchObject(otherBody);
  // Another request's response leaves this one as it is.
  expect((await order(key, "x".repeat(255))).status).toBe(201);
  expect((await order(key, "order-2")).body.data).toEqual(first.body.data);
  await sql(`UPDATE api_requests SET "createdAt" = now() - interval '25 hours'`);
  const later = await order(key, "order-2");
  expect(later.status).toBe(201);
  expect(later.body.data).not.toEqual(first.body.data);
});

test("a repeated request gets the first response even if the settings would refuse it by now", async () => {
  const body = { ...alex, email: "settled@mail.example", send: true };
  const first = await order(key, "settled-1", body);
  const withoutEmail = { sending: { ...currentSettings().sending, email: undefined } };
  const repeated = await withSettings(withoutEmail, () => order(key, "settled-1", body));
  expect([repeated.status, repeated.body.data]).toEqual([201, first.body.data]);
  expect((await withSettings(withoutEmail, () => order(key, "settled-2", body))).status).toBe(422);
});

test("after an erasure the key still reads status and times, and a repeated request gets a link that opens nothing", async () => {
  const body = { ...alex, batch: "autumn" };
  const first = await order(key, "order-4", body);
  const { reference = "", link } = first.body.data as Record<string, string>;
  const { data } = (await look(key, reference)).body;
  await eraseApplication(reference, "Vera");
  expect(await look(key, reference)).toMatchObject({ status: 200, body: { data: { ...data, expiresAt: null } } });
  expect((await order(key, "order-4", body)).body.data).toEqual(first.body.data);
  expect(await findByToken(tokenOf(link), "")).toBeNull();
  const [stored] = await sql(`SELECT answer FROM api_requests WHERE "idempotencyKey" = 'order-4'`);
  expect(stored?.answer).toEqual([{ reference, expiresAt: expect.any(String), source: "ba", send: false }]);
});

test("just before 24 hours a repeated request gets its response, even if the app's clock is ahead", async () => {
  const first = await order(key, "order-3");
  await sql(`UPDATE api_requests SET "createdAt" = now() - interval '24 hours' + interval '30 seconds'`);
  jest.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  const again = await order(key, "order-3");
  expect([again.status, again.body.data]).toEqual([201, first.body.data]);
});

test("after a day with very many requests, each of the next ones, with any key, deletes a part of them", async () => {
  const busy = await createKey("busier", ["create"], "Ines");
  const old = `FROM api_requests JOIN api_keys k ON k.id = "keyId" AND k.name = 'busier'
    WHERE api_requests."createdAt" < now() - interval '24 hours'`;
  await sql(`INSERT INTO api_requests ("keyId", "idempotencyKey", "bodyHash", salt, "createdAt")
    SELECT id, n, '', '', now() - interval '25 hours' FROM api_keys, generate_series(1, 1000) n WHERE name = 'busier'`);
  const first = await order(busy, "1000");
  const left = (await sql(`SELECT ${old}`)).length;
  expect([first.status, left > 0 && left < 1000]).toEqual([201, true]);
  for (let more = 0; more < 10; more += 1) await order(key, `more-${more}`);
  expect(await sql(`SELECT ${old}`)).toEqual([]);
  // Another body than the old request's: its response has expired.
  expect((await order(busy, "1000")).body.data).toEqual(first.body.data);
});

test("a request does not wait for another one with the same key that is still under way", async () => {
  const row = (idempotencyKey: string, createdAt: string) => `
    INSERT INTO api_requests ("keyId", "idempotencyKey", "bodyHash", salt, "createdAt")
    SELECT id, '${idempotencyKey}', '', '', ${createdAt} FROM api_keys WHERE name = 'crm'`;
  await sql(row("expired", "now() - interval '25 hours'"));
  await sql("BEGIN");
  await sql(row("under-way", "now()"));
  const waiting = order(key, "under-way");
  await untilBlocked();
  expect(await order(key, "another")).toMatchObject({ status: 201 });
  await sql("ROLLBACK");
  expect(await waiting).toMatchObject({ status: 201 });
});
