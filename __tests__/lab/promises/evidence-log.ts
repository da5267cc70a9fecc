import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { canonicalize } from "json-canonicalize";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { listOf, type MessagingSetup, openMessagingSetup } from "@/__tests__/lab/promises/support/sending";
import { promise } from "@/__tests__/lab/promises/support/world";
import { consent } from "@/__tests__/support/answers";
import type { App } from "@/__tests__/support/processes/app";
import { call, fillIn } from "@/__tests__/support/processes/call";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { withConnection } from "@/lib/server/db/connection";
import { writeKey } from "@/lib/server/evidence/key";

const atOnce = 200;
const kills = 5;
/** Submitted one after another, once the workers are no longer killed. */
const later = 20;
const many = 100_000;

const unlogged = `FROM events e WHERE kind IN ('submitted', 'status_changed', 'erased', 'link_reissued')
  AND NOT EXISTS (SELECT FROM evidence_log l WHERE l."eventId" = e.id)`;

/** Expects indexes from 0 without a gap, one leaf per event, and a signed head over the last leaf. Returns the log's size. */
async function requireWhole({ sql }: MessagingSetup): Promise<number> {
  const [log] = await sql<Record<string, number | boolean>>(`
    SELECT count(*)::int AS count, max(index)::int + 1 AS size, count("eventId")::int AS events,
      count(DISTINCT "eventId")::int AS different,
      (SELECT signature IS NOT NULL FROM evidence_log ORDER BY index DESC LIMIT 1) AS signed
    FROM evidence_log`);
  const found = [log?.count, log?.events, log?.signed];
  same(found, [log?.size, log?.different, true], "leaves and numbers, events, signed head");
  return Number(log?.size);
}

async function tokens(messaging: MessagingSetup, folder: string, count: number): Promise<string[]> {
  const links = join(folder, "links.csv");
  await messaging.command("invite", ["--csv", listOf(count, folder, false), "--out", links]);
  return [...readFileSync(links, "utf8").matchAll(/\?token=([\w-]{43})/g)].map(([, token = ""]) => token);
}

/** Kills and restarts two workers in turn until `isOver`, but at least `kills` times. Returns the number of kills. */
async function killing(messaging: MessagingSetup, env: Record<string, string>, isOver: () => boolean): Promise<number> {
  const workers: (ChildProcess | undefined)[] = [await messaging.worker(env), await messaging.worker(env)];
  let killed = 0;
  for (; killed < kills || !isOver(); killed += 1) {
    const n = killed % 2;
    await sleep(50 + Math.random() * 400);
    workers[n]?.kill("SIGKILL");
    if (workers[n]) await once(workers[n], "exit");
    workers[n] = await messaging.worker(env);
  }
  await messaging.until("events have no leaf", unlogged, 30);
  for (const worker of workers) worker?.kill("SIGTERM");
  return killed;
}

/** The columns of a table that can be written, so without generated ones, as a list for SQL. */
const writtenColumns = `
  SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER'`;

/** Copies a submission of the app `count` times, each copy with its own reference, salt and record hash, and without a link. */
async function multiply({ sql }: MessagingSetup, count: number): Promise<void> {
  const [template] = await sql<{ id: string; record: Record<string, unknown> }>(`
    SELECT "applicationId" AS id, to_jsonb(c) - '{id,applicationId,recordHash,linkId}'::text[] AS record
    FROM consent_records c LIMIT 1`);
  const [written] = await sql<{ columns: string }>(writtenColumns, ["applications"]);
  for (let from = 0; from < count; from += 5000) {
    const at = new Date().toISOString();
    const rows = Array.from({ length: Math.min(5000, count - from) }, (_, n) => {
      const reference = `N${String(from + n).padStart(8, "0")}`;
      const salt = randomBytes(32).toString("hex");
      const record = { ...template?.record, reference, salt, consentedAt: at };
      const hash = createHash("sha256").update(canonicalize(record)).digest("hex");
      return { id: randomUUID(), reference, salt, hash };
    });
    await sql(
      `WITH given AS (SELECT * FROM json_to_recordset($1::json) AS g (id uuid, reference text, salt text, hash text)),
       copied AS (
         INSERT INTO applications (${written?.columns}) SELECT ${written?.columns} FROM (
           SELECT (json_populate_record(t.a, json_build_object('id', g.id, 'reference', g.reference, 'rowHash', NULL, 'submittedAt', $3::text))).*
           FROM given g, (SELECT a FROM applications a WHERE id = $2) t
         ) AS copies
       ), recorded AS (
         INSERT INTO consent_records SELECT (json_populate_record(t.c, json_build_object('id', gen_random_uuid(),
           'applicationId', g.id, 'linkId', NULL, 'salt', g.salt, 'recordHash', g.hash, 'consentedAt', $3::text))).*
         FROM given g, (SELECT c FROM consent_records c WHERE "applicationId" = $2) t
       ) INSERT INTO events ("applicationId", kind, at, address) SELECT id, 'submitted', $3::text::timestamptz, $4 FROM given`,
      [JSON.stringify(rows), template?.id, at, template?.record.address],
    );
  }
}

async function submitEach(app: App, all: string[]): Promise<void> {
  const responses = await Promise.all(all.map((token) => call(app, "submit-final", { token, data: consent })));
  same(responses.filter(({ status }) => status === 200).length, all.length, "submissions");
}

/** The milliseconds that queueing an event for the log adds to the transaction of a submission. Nothing is stored. */
async function queueingMs({ owner }: MessagingSetup): Promise<number> {
  return withConnection(owner, async (client) => {
    await client.query("BEGIN");
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON)
      INSERT INTO events ("applicationId", kind) SELECT id, 'submitted' FROM applications, generate_series(1, 20)`);
    await client.query("ROLLBACK");
    const triggers: { "Trigger Name": string; Time: number; Calls: number }[] = rows[0]["QUERY PLAN"][0].Triggers;
    const queueing = triggers.find((trigger) => trigger["Trigger Name"] === "events_are_queued_as_evidence");
    return queueing ? queueing.Time / queueing.Calls : Number.POSITIVE_INFINITY;
  });
}

promise(68, async (world) => {
  const messaging = await openMessagingSetup(world, "evidence");
  const key = join(world.folder(), "key.json");
  writeKey(key);
  const env = { EVIDENCE_KEY_FILE: key };
  const app = await messaging.start({ WORKER: "off", DATABASE_TIMEOUT_MS: "15000", RATE_LIMIT_FACTOR: "100" });
  const all = await tokens(messaging, world.folder(), atOnce + later);
  await runConcurrently(all.length, 4, (n) => fillIn(app, all[n] ?? ""));

  let isOver = false;
  const begun = killing(messaging, env, () => isOver);
  await sleep(500);
  await submitEach(app, all.slice(0, atOnce));
  isOver = true;
  const killed = await begun;
  const size = await requireWhole(messaging);
  same(size, atOnce + 1, "leaves, with that of the key");

  const workers = [await messaging.worker(env), await messaging.worker(env)];
  for (const token of all.slice(atOnce)) await submitEach(app, [token]);
  await messaging.until("events have no leaf", unlogged, 5);
  const [slowest] = await messaging.sql<{ ms: number }>(`
    SELECT max(extract(epoch FROM l.at - e.at) * 1000)::int AS ms FROM evidence_log l JOIN events e ON e.id = l."eventId"
    WHERE index >= ${size}`);
  expect(Number(slowest?.ms) < 1000, `a signed head came ${slowest?.ms} ms after its submission`);

  const added = await queueingMs(messaging);
  expect(added <= 1, `queueing an event for the log takes ${added} ms`);

  await multiply(messaging, many - atOnce - later - 1);
  await messaging.until("events have no leaf", unlogged, 300);
  same(await requireWhole(messaging), many, "leaves");
  for (const worker of workers) worker.kill("SIGTERM");
  const started = performance.now();
  const { out } = await messaging.command("evidence", ["verify"]);
  const seconds = (performance.now() - started) / 1000;
  expect(out.startsWith(`${many} leaves, root `), `the command said ${out.slice(0, 300)}`);
  expect(seconds <= 10, `${many} leaves took ${seconds.toFixed(1)} s`);

  const receipts = await runConcurrently(20, 4, async (n) => (await call(app, "receipt", { token: all[n] })).body.data);
  const files = receipts.map((receipt, n) => {
    const file = join(world.folder(), `receipt-${n}.json`);
    writeFileSync(file, JSON.stringify(receipt));
    return file;
  });
  // The erased application's own receipt is among those that are verified afterwards.
  const { reference = "" } = (receipts[0]?.record ?? {}) as { reference?: string };
  await messaging.command("person", ["erase", reference, "--by", "Vera"]);
  const last = await messaging.worker(env);
  await messaging.until("events have no leaf", unlogged, 5);
  last.kill("SIGTERM");
  const against = await messaging.command("evidence", ["verify", "--against", ...files]);
  const agrees = against.out.includes("The log agrees with receipt-0.json");
  expect(agrees, `after an erasure the command said ${against.out.slice(0, 300)}`);
  return `${atOnce} submissions at once beside two workers and ${killed} × kill -9: ${size} leaves, no gap, none twice; a signed head ${slowest?.ms} ms at most after each of ${later} later submissions, one after another; queueing adds ${added.toFixed(3)} ms to a submission; ${many} leaves with their records verified in ${seconds.toFixed(1)} s by the command; after an erasure ${files.length} receipts and every leaf verify`;
});
