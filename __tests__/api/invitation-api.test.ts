import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { unsavable } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import {
  alex,
  api,
  bearer,
  call,
  documented,
  look,
  order,
  refused,
  send,
  tokenOf,
} from "@/__tests__/support/invitation-calls";
import { invited } from "@/__tests__/support/invited";
import { lines, logged } from "@/__tests__/support/log-lines";
import { type CallResponse, home, post } from "@/__tests__/support/post";
import { reportFigure, size } from "@/__tests__/support/size";
import { withSettings } from "@/__tests__/support/with-settings";
import { GET as read, POST as readByPost } from "@/app/api/v1/invitations/[reference]/route";
import { POST as create, GET as createByGet } from "@/app/api/v1/invitations/route";
import { createKey, revokeKey } from "@/lib/server/invitations/api-keys";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { invitationFields, invitationSchema } from "@/lib/server/invitations/invitation";
import { revokeLinks } from "@/lib/server/invitations/links";
import { findByToken } from "@/lib/server/links/find-by-token";
import { mailSystem } from "@/lib/server/outbox/reachability";
import { suppress } from "@/lib/server/outbox/suppressions";

process.env.LOG_LEVEL = "debug";
const { sql, countRows, blockedBy, whileLocked, appUrl, operationsUrl } = freshDatabase();
jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);
process.env.SMTP_URL = "smtp://127.0.0.1:9";

const apiFields = [...invitationFields.map(({ field }) => field), "batch", "send"];

test("the call does not exist until there is a key", async () => {
  const unknown = refused(404, "There is no such endpoint");
  expect(await call("rak_x", alex)).toMatchObject(unknown);
  expect(await look("rak_x", "K7QM-4XRT")).toMatchObject(unknown);
  expect(await call("rak_x", alex, { "sec-fetch-site": "cross-site" })).toMatchObject(unknown);
  expect(await post(createByGet, undefined, { method: "GET" })).toMatchObject(unknown);
  expect(await post(readByPost, {})).toMatchObject(unknown);
});

describe("with a key", () => {
  let key = "";
  beforeAll(async () => {
    // Only operations may create keys. This process acts as both roles.
    await sql(`GRANT INSERT, UPDATE ON api_keys TO "${new URL(appUrl).username}"`);
    key = await createKey("crm", ["create", "read"], "Ines");
  });
  let before = 0;
  beforeEach(async () => {
    before = await countRows("applications");
  });
  const countCreated = async () => (await countRows("applications")) - before;

  /** Creates an invitation and returns its data. */
  async function created() {
    const response = await call(key, alex);
    expect(response.status).toBe(201);
    return response.body.data as Record<"reference" | "link" | "expiresAt", string>;
  }

  test("an invitation is created, its link opens it, and its status is read", async () => {
    const { reference, link, expiresAt } = await created();
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(await findByToken(tokenOf(link), "")).toMatchObject({
      row: { reference, mobile: "61412345678", invitedFirstName: "Alex", source: "ba" },
    });
    const [row] = await sql(
      `SELECT by, "invoiceAmount" FROM events JOIN applications a ON a.id = "applicationId" WHERE reference = $1`,
      [reference],
    );
    expect(row).toEqual({ by: "key crm", invoiceAmount: "2450.00" });
    const current = await look(key, reference);
    expect(current).toMatchObject({ status: 200, body: { data: { reference, status: "draft", submittedAt: null } } });
  });

  test("expiresAt is the latest expiry of the links that are not revoked", async () => {
    const { reference, expiresAt } = await created();
    const add = (expiry: string, revokedAt: string) =>
      sql(
        `INSERT INTO links ("applicationId", "expiresAt", "revokedAt")
         SELECT id, ${expiry}, ${revokedAt} FROM applications WHERE reference = $1`,
        [reference],
      );
    await add("now()", "NULL");
    await add("now() - interval '1 hour'", "NULL");
    await add("now() + interval '90 days'", "now()");
    expect((await look(key, reference)).body.data).toMatchObject({ expiresAt });
    await revokeLinks(reference, "Ines");
    expect((await look(key, reference)).body.data).toMatchObject({ expiresAt: null });
  });

  test("openedAt is the first time that any of the links was opened", async () => {
    const { reference } = await created();
    expect((await look(key, reference)).body.data).toMatchObject({ openedAt: null });
    for (const day of [7, 3, 5])
      await sql(
        `INSERT INTO links ("applicationId", "expiresAt", "openedAt")
         SELECT id, now(), timestamptz '2026-11-01T00:00:00Z' + $2 * interval '1 day' FROM applications WHERE reference = $1`,
        [reference, day],
      );
    const { openedAt } = (await look(key, reference)).body.data ?? {};
    expect(openedAt).toBe("2026-11-04T00:00:00.000Z");
  });

  test("several invitations are created at once, all or none, and a wrong field is named with its position", async () => {
    const wrong = await call(key, [alex, { ...alex, mobile: "12", nickname: "Al", quotes: ["1e3"] }]);
    expect(wrong).toMatchObject({ status: 422, body: { success: false } });
    expect(Object.keys(wrong.body.errors ?? {}).sort()).toEqual(["1.mobile", "1.nickname", "1.quotes"]);
    expect(await countCreated()).toBe(0);
    const { body } = await call(key, [alex, { ...alex, mobile: "0412 345 679" }]);
    expect(new Set((body.data as unknown as { link: string }[]).map(({ link }) => tokenOf(link))).size).toBe(2);
    const many = (count: number) => Array(count).fill({ ...alex, propertyAddress: "x".repeat(190) });
    expect([(await call(key, many(101))).status, (await call(key, many(100))).status]).toEqual([422, 201]);
  });

  test("the scheme of the key may be written in any letter case, and several spaces may follow it", async () => {
    for (const scheme of ["bearer", "BEARER", "Bearer "])
      expect((await call(key, alex, { authorization: `${scheme} ${key}` })).status).toBe(201);
  });

  test("a key that is revoked while the body arrives creates nothing", async () => {
    const leaked = await createKey("leaked", ["create"], "Ines");
    const raw = new ReadableStream({
      async pull(controller) {
        await revokeKey("leaked");
        controller.enqueue(new TextEncoder().encode(JSON.stringify(alex)));
        controller.close();
      },
    });
    expect((await send(create, undefined, { raw, headers: bearer(leaked) })).status).toBe(401);
    expect(await countCreated()).toBe(0);
  });

  test("with send, the invitation is enqueued, and the response has no link", async () => {
    const { status, body } = await call(key, { ...alex, email: "alex@mail.example", send: true, batch: " spring " });
    expect([status, Object.keys(body.data ?? {}).sort()]).toEqual([201, ["expiresAt", "reference"]]);
    expect(
      await sql(`SELECT kind, recipient FROM messages m JOIN applications a ON a.id = m."applicationId"
      WHERE batch = 'spring' AND kind = 'invitation'`),
    ).toEqual([{ kind: "invitation", recipient: "alex@mail.example" }]);
  });

  test("a call does not wait for a command that prints the links of a long list", async () => {
    const list = Array.from({ length: 6000 }, (_, n) => invitationSchema.parse({ mobile: `614${n + 10_000_000}` }));
    let status = 0;
    const printed = createInvitations(list, {
      allowDuplicates: false,
      beforeCommit: async () => {
        status = (await withSettings({ DATABASE_TIMEOUT_MS: 2000 }, () => order(key, "meanwhile"))).status;
        throw new Error("nobody reads on");
      },
    });
    await expect(printed).rejects.toThrow("nobody reads on");
    expect(status).toBe(201);
  });

  test("an aborted call creates nothing", async () => {
    const requests = await countRows("api_requests");
    const slow = () => withSettings({ DATABASE_TIMEOUT_MS: 500 }, () => order(key, "slow"));
    const { status } = await whileLocked("LOCK TABLE link_tokens IN EXCLUSIVE MODE", [], slow);
    // The aborted call holds locks on its tables until its transaction ends.
    await sql("DO $$ BEGIN LOCK TABLE applications IN SHARE MODE; END $$");
    expect([status, await countCreated(), await countRows("api_requests")]).toEqual([503, 0, requests]);
  });

  test("with send, a suppressed address is refused, and its field is named", async () => {
    await suppress("email", "stopped@mail.example", "", "");
    await suppress("email", "dead@mail.example", "bounced 5.1.1", mailSystem);
    const stopped = "invitations and reminders to this contact are stopped";
    const fine = { ...alex, email: "fine@mail.example", send: true };
    for (const email of ["Stopped@mail.example", "dead@mail.example"]) {
      expect((await call(key, { ...fine, email })).body.errors).toEqual({ send: stopped });
      const several = await call(key, [fine, { ...fine, email }]);
      expect([several.status, several.body.errors]).toEqual([422, { "1.send": stopped }]);
      expect((await call(key, { ...fine, email, send: false })).status).toBe(201);
    }
    expect(await countCreated()).toBe(2);
    await suppress("sms", "61400000099", "a reply to an SMS", "");
    expect((await call(key, { ...fine, mobile: "61400000099" })).body.errors).toEqual({ send: stopped });
  });

  test("with send, an address that bounces while the call waits is refused", async () => {
    const late = await blockedBy(
      "LOCK TABLE applications IN SHARE MODE",
      [],
      () => call(key, { ...alex, email: "late@mail.example", send: true }),
      () => suppress("email", "late@mail.example", "bounced 5.1.1", mailSystem),
    );
    expect(late).toMatchObject({ status: 422 });
    expect(await countCreated()).toBe(0);
  });

  test("a key sees only what it has created, and does only what its scope says", async () => {
    const other = await createKey("other", ["read"], "Ines");
    const { reference: own } = await created();
    const foreign = (await invited()).reference;
    for (const [usedKey, reference] of [
      [other, own],
      [key, foreign],
      [key, "AAAA-AAAA"],
      [key, "%00"],
      [key, "%"],
    ] as const)
      expect(await look(usedKey, reference)).toMatchObject(refused(404, "There is no such invitation"));
    expect(await call(other, alex)).toMatchObject(refused(403, "This key lacks the scope create"));
    expect((await call(key, alex, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  const noField = "is not a field of an invitation";
  test.each<[string, unknown, object | string]>([
    ["an object where text belongs", { ...alex, firstName: { increment: 5 } }, { firstName: "must be a string" }],
    [
      "numbers where text belongs",
      { mobile: 61412345678, expiresDays: 30, batch: 7, consentBasis: 1, source: 2 },
      Object.fromEntries(
        ["mobile", "expiresDays", "batch", "consentBasis", "source"].map((field) => [field, "must be a string"]),
      ),
    ],
    ["a number as a quote", { ...alex, quotes: [2450] }, { quotes: "must be an array of strings" }],
    ["a quote without its array", { ...alex, quotes: "2450.00" }, { quotes: "must be an array of strings" }],
    ["a status", { ...alex, status: "approved" }, { status: noField }],
    ["a field that is called unknown", { ...alex, "unknown status": "approved" }, { "unknown status": noField }],
    [
      "a prototype",
      JSON.parse('{"mobile":"0412345678","__proto__":{"status":"approved"}}'),
      JSON.parse(`{"__proto__":"${noField}"}`),
    ],
    ["a constructor", { ...alex, constructor: {} }, { constructor: noField }],
    ["a wrong send", { ...alex, send: "yes" }, { send: "must be true or false" }],
    [
      "sending without an address",
      { ...alex, send: true },
      { send: "there is no address that a message can be sent to" },
    ],
    ["nothing", [], "Send 1 to 100 invitations"],
    ["null", null, { body: "is not an object" }],
    ["a text", "0412345678", { body: "is not an object" }],
    ["a list in a list", [[alex]], { "0.body": "is not an object" }],
    [
      "two batches",
      ["a", "b"].map((batch) => ({ ...alex, batch })),
      "All invitations in a request must have the same batch and send",
    ],
    [
      "two sends",
      [true, false].map((send) => ({ ...alex, email: "two@mail.example", send })),
      "All invitations in a request must have the same batch and send",
    ],
  ])("%s is refused", async (_, body, problem) => {
    const expected =
      typeof problem === "string" ? { message: problem } : { message: "Some fields are not valid", errors: problem };
    expect(await call(key, body)).toMatchObject({ status: 422, body: { success: false, ...expected } });
    expect(await countCreated()).toBe(0);
  });

  test("the log has the names of our fields, but not names that the caller made up", async () => {
    lines.length = 0;
    const wrong = { ...alex, "Alex Tan": "x", batch: "\ud800", send: "yes", mobile: "12" };
    await call(key, [...Array(11).fill(alex), wrong, wrong]);
    await call(key, null);
    const named = logged().flatMap(({ fields }) => (fields ? [fields.sort()] : []));
    expect(named).toEqual([["batch", "mobile", "send", "unknown"], ["body"]]);
  });

  test.each(["", "a b", "\u00a0a", "a\u00a0", "x".repeat(256)])(
    "an Idempotency-Key of '%s' is refused",
    async (idempotencyKey) => {
      const notVisible = refused(400, "Idempotency-Key must be 1 to 255 visible characters of ASCII");
      expect(await order(key, idempotencyKey)).toMatchObject(notVisible);
      expect(await countCreated()).toBe(0);
    },
  );

  test("no field accepts control characters, marks that reverse the direction, or halves of characters", async () => {
    const savable: string[] = [];
    for (const field of apiFields)
      for (const text of unsavable) {
        const { status, body } = await call(key, { ...alex, [field]: field === "quotes" ? [text] : text });
        if (status !== 422 || !body.errors?.[field]) savable.push(`${field} ${JSON.stringify(text)}: ${status}`);
      }
    expect(savable).toEqual([]);
    expect(await countCreated()).toBe(0);
    reportFigure(22, `${unsavable.length} values in ${apiFields.length} fields of the invitation API: 422`);
  });

  test("invalid JSON, a large body, or another method is refused as in every call", async () => {
    const headers = bearer(key);
    const raw = (body: BodyInit, more = {}) => send(create, undefined, { raw: body, headers: { ...headers, ...more } });
    expect((await raw("{")).status).toBe(400);
    expect((await raw(Buffer.from([0x22, 0xff, 0x22]))).status).toBe(400);
    expect((await raw("{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await raw("x".repeat(300_000))).status).toBe(413);
    const wrong = documented("post", "/api/v1/invitations", await post(createByGet, undefined, { method: "GET" }));
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    const posted = documented("get", "/api/v1/invitations/{reference}", await post(readByPost, {}));
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
  });

  test("docs/api.yaml names the fields that the routes take", () => {
    const fields = Object.keys(api.components.schemas.Invitation?.properties ?? {});
    expect(fields.sort()).toEqual(apiFields.toSorted());
  });

  test("docs/api.yaml states the limits of the fields, and the routes keep them", async () => {
    const fields = api.components.schemas.Invitation?.properties ?? {};
    const quotes = (count: number) => call(key, { ...alex, quotes: Array(count).fill("100") });
    const most = fields.quotes?.maxItems ?? 0;
    expect([(await quotes(most)).status, (await quotes(most + 1)).status]).toEqual([201, 422]);
    const texts = ["firstName", "propertyAddress", "agencyName", "consentBasis", "batch", "email", "managerEmail"];
    for (const field of texts) {
      const end = /email/i.test(field) ? "@mail.example" : "";
      const longest = end.padStart(fields[field]?.maxLength ?? 0, "x");
      const all = [
        await call(key, { ...alex, [field]: longest }),
        await call(key, { ...alex, [field]: `x${longest}` }),
      ];
      expect([field, ...all.map(({ status }) => status)]).toEqual([field, 201, 422]);
    }
    for (const field of ["source", "expiresDays"]) {
      const allowed = new RegExp(fields[field]?.pattern ?? "");
      for (const text of ["1", "365", "366", "0", "x".repeat(40), "x".repeat(41), "a b"]) {
        const { status } = await call(key, { ...alex, [field]: text });
        expect([field, text, status]).toEqual([field, text, allowed.test(text) ? 201 : 422]);
      }
    }
  });

  test("the curl commands in the documentation work", async () => {
    const server = createServer(async (incoming, outgoing) => {
      const body = incoming.method === "POST" ? new Uint8Array(await buffer(incoming)) : undefined;
      const url = `http://localhost${incoming.url}`;
      const headers = { ...(incoming.headers as Record<string, string>), "x-forwarded-for": home };
      const response = await (body ? create : read)(new Request(url, { method: incoming.method, headers, body }));
      outgoing.writeHead(response.status, { "content-type": "application/json" }).end(await response.text());
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lines = readFileSync("docs/calls.md", "utf8").match(/^curl --fail-with-body .*$/gm) ?? [];
    const run = async (line = "", reference = "K7QM-4XRT") => {
      const command = line.replace("https://apply.example", base).replace("K7QM-4XRT", reference);
      const { stdout } = await promisify(execFile)("bash", ["-c", command.replace("curl", "curl -s")], {
        env: { ...process.env, KEY: key },
      });
      return JSON.parse(stdout);
    };
    const issued = await run(lines[0]);
    expect(issued).toMatchObject({ success: true, data: { link: expect.stringContaining("token=") } });
    expect(await run(lines[1], issued.data.reference)).toMatchObject({ data: { status: "draft" } });
    server.close();
  });

  test("each key has a limit of its own", async () => {
    const busy = await createKey("busy", ["create", "read"], "Ines");
    await sql(`INSERT INTO rate_limits (key, points, expire)
      SELECT 'invitations:' || id, 599, extract(epoch FROM now()) * 1000 + 60000 FROM api_keys WHERE name = 'busy'`);
    expect((await call(busy, alex)).status).toBe(201);
    const beyond = await call(busy, alex);
    expect([beyond.status, Number(beyond.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect((await look(busy, "K7QM-4XRT")).status).toBe(429);
    expect((await call(key, alex)).status).toBe(201);
  });

  test("the commands create, list and revoke keys, and show a key once", async () => {
    const run = (...args: string[]) => callCommand("keys", args, { DATABASE_URL: operationsUrl });
    const { out } = await run("create", "--name", "broker", "--scope", "create", "--by", "Ines");
    expect(out).toMatch(/^rak_[\w-]{43}\n$/);
    expect((await call(out.trim(), alex)).status).toBe(201);
    const taken = "A key named broker already exists, perhaps a revoked one: choose another name.\n";
    expect(await run("create", "--name", "broker")).toMatchObject({ code: 1, err: taken });
    expect((await run("create", "--name", "a b")).code).toBe(2);
    const listed = async (): Promise<{ name: string }[]> => JSON.parse((await run("list", "--json")).out);
    const broker = { name: "broker", scopes: ["create"], by: "Ines", lastUsedAt: expect.any(String), revokedAt: null };
    expect(await listed()).toContainEqual(expect.objectContaining(broker));
    expect((await run("list")).out).not.toContain(out.trim().slice(4));
    expect((await run("revoke", "broker")).code).toBe(0);
    expect(await run("revoke", "broker")).toMatchObject({ code: 1, err: "There is no valid key broker.\n" });
    expect((await call(out.trim(), alex)).status).toBe(401);
    const names = (await listed()).map(({ name }) => name);
    expect([names.at(0), names.at(-1)]).toEqual(["crm", "broker"]);
  });

  test("a key that is revoked during a call invites everybody in that call, and nobody in the next", async () => {
    const leaving = await createKey("leaving", ["create"], "Ines");
    const batch = () => call(leaving, [alex, { ...alex, mobile: "0412 345 679" }]);
    const lock = "LOCK TABLE applications IN SHARE MODE";
    const { status, body } = await blockedBy(lock, [], batch, () => revokeKey("leaving"));
    expect([status, body.data]).toEqual([201, [expect.any(Object), expect.any(Object)]]);
    expect((await call(leaving, alex)).status).toBe(401);
  });

  test("the last use of a key is recorded once a minute, and only for that key", async () => {
    const [used, other] = [await createKey("used", ["create"], "Ines"), await createKey("idle", ["create"], "Ines")];
    const lastUse = async (name: string) =>
      (await sql(`SELECT "lastUsedAt" AS at FROM api_keys WHERE name = $1`, [name]))[0]?.at;
    await call(used, alex);
    const first = await lastUse("used");
    expect([first, await lastUse("idle")]).toEqual([expect.any(Date), null]);
    await call(used, alex);
    expect(await lastUse("used")).toEqual(first);
    await sql(`UPDATE api_keys SET "lastUsedAt" = now() - interval '61 seconds' WHERE name = 'used'`);
    await call(used, alex);
    expect(Number(await lastUse("used"))).toBeGreaterThanOrEqual(Number(first));
    await call(other, alex);
    expect(await lastUse("idle")).not.toBeNull();
    await sql(`UPDATE api_keys SET "lastUsedAt" = now() + interval '3 days' WHERE name = 'used'`);
    await call(used, alex);
    expect(Number(await lastUse("used"))).toBeLessThan(Date.now() + 60_000);
  });

  test("many wrong keys end in 429, and none of them looks different from a revoked one", async () => {
    const revoked = await createKey("gone", ["create"], "Ines");
    await revokeKey("gone");
    const responses: CallResponse[] = [];
    const count = size(25, 1_000);
    for (let n = 0; n < count; n += 1) {
      const wrong = n === 0 ? revoked : `rak_${String(n).padStart(43, "x")}`;
      responses.push(await call(wrong, alex, { "x-forwarded-for": "198.51.100.9" }));
    }
    const statuses = responses.map(({ status }) => status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toEqual(Array(count - 20).fill(429));
    expect(responses[0]?.body).toEqual({ success: false, message: "The key is not valid" });
    expect(responses[1]?.body).toEqual(responses[0]?.body);
    expect(responses[0]?.headers.get("www-authenticate")).toBe("Bearer");
    reportFigure(76, `${count.toLocaleString("en")} wrong keys: 20 × 401, then 429`);
  });
});
