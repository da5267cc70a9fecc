import { copyFileSync } from "node:fs";
import { consent } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import {
  append,
  evidenceKeys,
  problemsOfLog,
  receiptOf,
  reportOf,
  submittedWithLeaf,
  verified,
} from "@/__tests__/support/evidence";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import type { CommandResult } from "@/__tests__/support/run-command";
import { setStatus } from "@/__tests__/support/set-status";
import { fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { until } from "@/__tests__/support/until";
import { eraseApplication } from "@/lib/server/applications/erase";
import { close, createDatabase, prisma } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { lockEvidenceLog } from "@/lib/server/db/locks";
import { runEvidenceLog } from "@/lib/server/evidence/append";
import { isIncluded, receiptProblems } from "@/lib/server/evidence/evidence-verify.mjs";
import { readKey } from "@/lib/server/evidence/key";
import { evidenceReceipt } from "@/lib/server/evidence/receipt";
import { differencesFrom } from "@/lib/server/evidence/verify-log";
import { reissueLink } from "@/lib/server/invitations/links";

const { sql, blockedBy, untilWaiting, tamper, url, appUrl, operationsUrl } = freshDatabase();
const keys = evidenceKeys();
let first: ReturnType<typeof keys.make>;

/** Removes all leaves and queues all events again. */
async function emptyLog(): Promise<void> {
  await tamper("TRUNCATE evidence_log, evidence_pending");
  await sql(`INSERT INTO evidence_pending SELECT id FROM events
    WHERE kind IN ('submitted', 'status_changed', 'erased', 'link_reissued')`);
}

beforeEach(async () => {
  await emptyLog();
  keys.signWith(undefined);
  await append();
  first = keys.make();
  keys.signWith(first.file);
});

const logged = () =>
  sql<{ kind: string; signed: boolean; headed: boolean }>(
    `SELECT COALESCE(e.kind::text, 'key') AS kind, signature IS NOT NULL AS signed, root IS NOT NULL AS headed
     FROM evidence_log l LEFT JOIN events e ON e.id = l."eventId" ORDER BY index`,
  );
const kindsLogged = async () => (await logged()).map(({ kind }) => kind);

/** Starts the part of this many workers that appends to the log. */
function startLogs(count: number) {
  const ending = new AbortController();
  const errors: unknown[] = [];
  const logs = Array.from({ length: count }, () =>
    runEvidenceLog(prisma(), ending.signal, (error) => errors.push(error)),
  );
  async function stop() {
    ending.abort();
    await Promise.all(logs);
  }
  return { errors, stop };
}

const someHash = "a".repeat(64);
const subtreesAt = (index: number): string[] => (index % 2 === 0 ? [] : [someHash, ...subtreesAt((index - 1) / 2)]);
/** A leaf of nothing, with as many subtrees as end with it. */
const leaf = (index: number) => ({ index, hash: someHash, subtrees: subtreesAt(index) });

/** Whether the indexes count up from 0 without a gap, and no event has two leaves. */
async function hasNoGap(): Promise<boolean> {
  const rows = await sql<{ index: string; eventId: string | null }>(
    `SELECT index, "eventId" FROM evidence_log ORDER BY index`,
  );
  const events = rows.flatMap(({ eventId }) => eventId ?? []);
  return rows.every(({ index }, n) => Number(index) === n) && new Set(events).size === events.length;
}

test("a submission, a decision, a reissue and an erasure get a leaf each, after the key's; other events get none", async () => {
  const before = await kindsLogged();
  const { reference } = await submitted();
  await setStatus(reference, "approved", { by: "Ines", reason: "All is well" });
  await reissueLink(reference, { expiresDays: 30, by: "Ines" });
  await append();
  await eraseApplication(reference, "Vera");
  await append();
  const now = await kindsLogged();
  expect(now.slice(before.length)).toEqual(["key", "submitted", "status_changed", "link_reissued", "erased"]);
  expect((await logged()).at(-1)).toEqual({ kind: "erased", signed: true, headed: true });
  expect(await hasNoGap()).toBe(true);
  expect(await problemsOfLog()).toEqual([]);
});

test("a receipt can be verified on its own, and any change to it is detected", async () => {
  const { id, reference } = await submittedWithLeaf();
  await submittedWithLeaf();
  const receipt = await receiptOf(id);
  expect(receipt.record).toMatchObject({
    reference,
    answers: expect.objectContaining({ firstName: expect.any(String) }),
  });
  expect(receipt.head.size).toBeGreaterThan(receipt.first.head.size);
  expect(await receiptProblems(receipt)).toEqual([]);
  const { size, root, at, key } = receipt.head;
  const forged: object[] = [
    { record: { ...receipt.record, confirmLoan: false } },
    { record: { ...receipt.record, answers: { ...(receipt.record.answers as object), loanAmount: "1" } } },
    { leaf: { ...receipt.leaf, index: receipt.leaf.index + 1 } },
    { leaf: { ...receipt.leaf, hash: receipt.head.root } },
    { inclusion: receipt.inclusion.slice(1) },
    { head: { ...receipt.head, at: "2020-01-01T00:00:00.000Z" } },
    { head: { ...receipt.head, size: size + 1 } },
    { head: { size, root, at, key, signature: receipt.first.head.signature } },
    { first: { ...receipt.first, head: receipt.head } },
    { keys: [{ ...receipt.keys[0], key: keys.make().key.entry.key }] },
  ];
  for (const change of forged) expect(await receiptProblems({ ...receipt, ...change })).not.toEqual([]);
});

test("without a key the log grows all the same, and a later key signs its head", async () => {
  keys.signWith(undefined);
  const { id } = await submittedWithLeaf();
  const unsigned = await receiptOf(id);
  expect(unsigned.head).toEqual({
    size: expect.any(Number),
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
    at: expect.any(String),
  });
  expect((await verified()).unsigned).toBeGreaterThan(0);
  keys.signWith(first.file);
  await append();
  expect((await verified()).unsigned).toBe(0);
  expect((await receiptOf(id)).first.head).toEqual(unsigned.head);
  expect(await problemsOfLog()).toEqual([]);
});

test("a key that the old one has signed replaces it; any other signs nothing", async () => {
  await append();
  const next = keys.make(first.key);
  keys.signWith(next.file);
  const { id } = await submittedWithLeaf();
  const receipt = await receiptOf(id);
  expect(receipt.keys.map(({ key }) => key)).toEqual([first.key.entry.key, next.key.entry.key]);
  expect(receipt.head.key).toBe(next.key.entry.key);
  expect(await receiptProblems(receipt)).toEqual([]);
  for (const { file } of [keys.make(), keys.make(first.key)]) {
    keys.signWith(file);
    await submittedWithLeaf();
    expect((await logged()).at(-1)).toEqual({ kind: "submitted", signed: false, headed: true });
  }
  expect(await problemsOfLog()).toEqual([]);
});

test("the submission of a person who was erased before and invited again has a receipt", async () => {
  const { reference, id } = await invited();
  await eraseApplication(reference, "Ines");
  const { token } = await reissueLink(reference, { expiresDays: 30, by: "Ines" });
  await fillInAndSubmit(token);
  await append();
  expect(await receiptProblems(await receiptOf(id))).toEqual([]);
  await eraseApplication(reference, "Ines");
  expect(await evidenceReceipt(prisma(), id)).toBeNull();
});

test("a process that was not restarted after a rotation appends nothing, so that the log does not grow unsigned", async () => {
  await append();
  const next = keys.make(first.key);
  keys.signWith(next.file);
  await append();
  const before = await logged();
  keys.signWith(first.file);
  // With nothing to append, it holds back no message.
  await append();
  await submitted();
  await expect(append()).rejects.toMatchObject({ name: "ReplacedEvidenceKey" });
  expect(await logged()).toEqual(before);
  keys.signWith(next.file);
  await append();
  expect((await logged()).at(-1)).toEqual({ kind: "submitted", signed: true, headed: true });
});

test("a rotation waits for a worker that appends, which signs with the old key until it is restarted", async () => {
  await append();
  const during = await submitted();
  const env = { DATABASE_URL: operationsUrl, EVIDENCE_KEY_FILE: first.file };
  let rotated: Promise<CommandResult> | undefined;
  await blockedBy("LOCK TABLE evidence_log IN EXCLUSIVE MODE", [], append, async () => {
    rotated = callCommand("evidence", ["key", "--rotate"], env);
    await untilWaiting(2);
    expect(readKey(first.file).entry).toEqual(first.key.entry);
  });
  expect(await rotated).toMatchObject({ code: 0, err: "" });
  const after = await submittedWithLeaf();
  // A process reads its key once, so another name stands for a restart.
  const restarted = `${first.file}.restarted`;
  copyFileSync(first.file, restarted);
  keys.signWith(restarted);
  const last = await submittedWithLeaf();
  const signers = [during, after, last].map(async ({ id }) => (await receiptOf(id)).first.head.key);
  const [oldKey, newKey] = [first.key.entry.key, readKey(restarted).entry.key];
  expect(await Promise.all(signers)).toEqual([oldKey, oldKey, newKey]);
  expect(await problemsOfLog()).toEqual([]);
});

test("if two processes start at once with different keys, the one whose key the log does not accept reports it", async () => {
  const other = JSON.stringify(keys.make().key.entry);
  const { errors, stop } = await prisma().$transaction(async (tx) => {
    await lockEvidenceLog(tx);
    const started = startLogs(1);
    await untilWaiting(1);
    await tx.evidenceLeaf.create({ data: { ...leaf((await logged()).length), entry: other } });
    return started;
  });
  await until(async () => errors.length > 0);
  await stop();
  expect(errors).toEqual([expect.objectContaining({ name: "UnknownEvidenceKey" })]);
});

test("a key rotated before the log has any becomes its first key, and the log keeps verifying", async () => {
  const rotated = keys.make(first.key);
  expect(rotated.key.entry.previous).toBe(first.key.entry.key);
  keys.signWith(rotated.file);
  const { id } = await submittedWithLeaf();
  const receipt = await receiptOf(id);
  expect(receipt.keys).toEqual([{ kind: "key", key: rotated.key.entry.key, format: 2 }]);
  expect([await problemsOfLog(), await receiptProblems(receipt)]).toEqual([[], []]);
  const next = keys.make(rotated.key);
  keys.signWith(next.file);
  await submittedWithLeaf();
  const { log, problems } = await verified();
  expect([problems, log.head.key]).toEqual([[], next.key.entry.key]);
});

test("an older export differs from a later receipt only in its size, and not at all beside a later export", async () => {
  const earlier = await submittedWithLeaf();
  const kept = await receiptOf(earlier.id);
  const { log: january } = await verified();
  keys.signWith(keys.make(first.key).file);
  const { id } = await submittedWithLeaf();
  const receipt = await receiptOf(id);
  const { log: march } = await verified();
  const both = await reportOf({ kept, receipt, january, march });
  expect([both.result, both.lines.filter((line) => line.includes(" and "))]).toEqual([
    "agrees",
    ["kept and january", "kept and march", "receipt and march", "january and march"].map(
      (pair) => `${pair}: they agree.`,
    ),
  ]);
  const sizes = `the log has ${january.head.size} leaves, fewer than the ${march.head.size} of`;
  const alone = await reportOf({ receipt, january });
  expect([alone.result, alone.lines.slice(-1)]).toEqual([
    "differs",
    [`receipt and january: ${sizes} receipt: it is older, or was cut off.`],
  ]);
  expect(await differencesFrom(january, receipt)).toEqual([`${sizes} this file: it is older, or was cut off`]);
});

test("a worker that is suspended while it appends loses the lock, and another one appends", async () => {
  const { id } = await submitted();
  // A deployment may have a single database user, whose role sets no timeout for idle transactions.
  const worker = createDatabase({ url, max: 1, timeoutMs: 60_000, isPooled: false });
  let [isLocked, resume] = [false, () => {}];
  const suspended = worker.prisma.$transaction(async (tx) => {
    await lockEvidenceLog(tx);
    const timeout = "idle_in_transaction_session_timeout";
    expect(await tx.$queryRaw`SELECT current_setting(${timeout}) AS timeout`).toEqual([{ timeout: "10s" }]);
    // The product's limit would make this test slow.
    await tx.$queryRaw`SELECT set_config(${timeout}, '300', true)`;
    isLocked = true;
    await new Promise<void>((resolve) => (resume = resolve));
  });
  await Promise.race([suspended, until(async () => isLocked)]);
  await append();
  expect(await evidenceReceipt(prisma(), id)).not.toBeNull();
  resume();
  await expect(suspended).rejects.toThrow();
  await close(worker);
});

/** Changes the last leaf. */
const changeLast = (change: string) =>
  tamper(`UPDATE evidence_log SET ${change} WHERE index = (SELECT max(index) FROM evidence_log)`);

test("no head is dated before its predecessor, even if the clock is behind after a failover", async () => {
  keys.signWith(undefined);
  await changeLast("at = now() + interval '1 minute'");
  const { log: before } = await verified();
  await submittedWithLeaf();
  const { log, problems } = await verified();
  expect([log.head.at, problems]).toEqual([before.head.at, []]);
  expect(log.head.size).toBe(before.head.size + 1);
});

test("leaves that no head covers count as unsigned, and are in no export", async () => {
  await append();
  const { log: before } = await verified();
  await submittedWithLeaf();
  await changeLast("root = NULL, key = NULL, signature = NULL");
  const { log, unsigned } = await verified();
  expect([log, unsigned]).toEqual([before, 1]);
});

test("a receipt names no key that its head does not cover, so it agrees with an export made at the same time", async () => {
  const { id } = await submittedWithLeaf();
  const kept = await receiptOf(id);
  keys.signWith(keys.make(first.key).file);
  await submittedWithLeaf();
  // As after the first batch of a backlog, whose head is still to come.
  await changeLast("root = NULL, key = NULL, signature = NULL");
  const receipt = await receiptOf(id);
  expect(receipt).toEqual(kept);
  const { log } = await verified();
  expect((await reportOf({ receipt, log })).lines[0]).toBe("Everything agrees.");
});

test("the app cannot leave a gap in the log, which keeps growing", async () => {
  await append();
  const last = (await logged()).length - 1;
  await withConnection(appUrl, async (client) => {
    for (const index of ["9000000000000000000", last + 2, last, -1]) {
      const far = client.query(`INSERT INTO evidence_log (index, hash) VALUES (${index}, '')`);
      await expect(far).rejects.toThrow("The next leaf of the evidence log cannot have the index");
    }
    await client.query("BEGIN");
    const several = JSON.stringify([1, 2, 3].map((n) => leaf(last + n)));
    const asLeaves = "SELECT index, hash, subtrees FROM json_populate_recordset(NULL::evidence_log, $1)";
    await client.query(`INSERT INTO evidence_log (index, hash, subtrees) ${asLeaves}`, [several]);
    await client.query("ROLLBACK");
  });
  const many = prisma().$transaction(async (tx) => {
    expect(await tx.evidenceLeaf.createMany({ data: [last + 1, last + 2].map(leaf) })).toEqual({ count: 2 });
    throw new Error("undone");
  });
  await expect(many).rejects.toThrow("undone");
  const { id } = await submittedWithLeaf();
  expect(await evidenceReceipt(prisma(), id)).not.toBeNull();
  expect([await hasNoGap(), await problemsOfLog()]).toEqual([true, []]);
});

test.each([
  ["hash", "not a hash"],
  ["hash", someHash.toUpperCase()],
  ["hash", `${someHash}\n`],
  ["root", "not a root"],
  ["subtrees", ["not a hash"]],
  ["subtrees", [null]],
  ["subtrees", [[someHash]]],
  ["subtrees", Array(3).fill(someHash)],
  ["subtrees", null],
  ["entry", "not JSON"],
  ["entry", "null"],
  ["at", "infinity"],
])("the app cannot add a leaf whose %s is %j, which would stop every export", async (column, value) => {
  // Exactly one subtree ends with such a leaf.
  while ((await logged()).length % 4 !== 1) await submittedWithLeaf();
  const index = (await logged()).length;
  const wrong = { ...leaf(index), [column]: value };
  const places = Object.keys(wrong).map((_, n) => `$${n + 1}`);
  const insert = `INSERT INTO evidence_log (${Object.keys(wrong)}) VALUES (${places})`;
  await withConnection(appUrl, async (client) => {
    await client.query("BEGIN");
    await expect(client.query(insert, Object.values(wrong))).rejects.toThrow(/evidence_log_\w+_check|type json/);
    await client.query("ROLLBACK");
  });
});

test("events from before the log have a leaf each, and none has two", async () => {
  const { id } = await submittedWithLeaf();
  await sql("INSERT INTO evidence_pending SELECT id FROM events");
  await append();
  expect(await sql("SELECT FROM evidence_pending")).toEqual([]);
  const leaves = `SELECT FROM evidence_log l JOIN events e ON e.id = l."eventId"
    WHERE e."applicationId" = $1 AND e.kind = 'submitted'`;
  expect(await sql(leaves, [id])).toHaveLength(1);
  expect(await hasNoGap()).toBe(true);
});

// Promise 68 measures how soon.
test("the worker appends a submission to the log and signs the head", async () => {
  const { errors, stop } = startLogs(1);
  const { id } = await submitted();
  await until(async () => (await evidenceReceipt(prisma(), id)) !== null);
  await stop();
  expect(errors).toEqual([]);
});

test("simultaneous submissions beside two workers leave no gap, and no leaf twice", async () => {
  const { errors, stop } = startLogs(2);
  const tokens = await Promise.all(Array.from({ length: 30 }, async () => (await invited()).token));
  await Promise.all(tokens.map(fillIn));
  const before = (await kindsLogged()).filter((kind) => kind === "submitted").length;
  const responses = await Promise.all(tokens.map((token) => post(submitFinal, { token, data: consent })));
  expect(responses.map(({ status }) => status)).toEqual(tokens.map(() => 200));
  await Promise.all([append(), append(), append()]);
  await stop();
  expect(errors).toEqual([]);
  expect((await kindsLogged()).filter((kind) => kind === "submitted").length - before).toBe(tokens.length);
  expect(await hasNoGap()).toBe(true);
  expect(await problemsOfLog()).toEqual([]);
});

test("a batch that is rolled back leaves nothing and is appended later", async () => {
  const { id } = await submitted();
  await sql("CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$");
  await sql(
    "CREATE CONSTRAINT TRIGGER failing AFTER INSERT ON evidence_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()",
  );
  await expect(append()).rejects.toThrow();
  await sql("DROP TRIGGER failing ON evidence_log");
  expect(await evidenceReceipt(prisma(), id)).toBeNull();
  await append();
  expect(await evidenceReceipt(prisma(), id)).not.toBeNull();
  expect(await problemsOfLog()).toEqual([]);
});

test("an erasure removes the salts and the hash of the answers, and every proof still verifies", async () => {
  const { id, reference } = await submittedWithLeaf();
  const before = await verified();
  await setStatus(reference, "declined", { by: "Ines", reason: "Ada has moved" });
  await append();
  const receipt = await receiptOf(id);
  await eraseApplication(reference, "Vera");
  await append();
  const salts = `SELECT concat(c.salt, c."answersHash") AS salt FROM consent_records c WHERE c."applicationId" = $1 UNION ALL
    SELECT salt FROM events WHERE "applicationId" = $1 AND kind <> 'erased'`;
  expect((await sql<{ salt: string | null }>(salts, [id])).filter(({ salt }) => salt)).toEqual([]);
  expect(await evidenceReceipt(prisma(), id)).toBeNull();
  const { problems, erased, log } = await verified();
  expect([problems, erased - before.erased]).toEqual([[], 2]);
  expect(await isIncluded(receipt.leaf, receipt.head, receipt.inclusion)).toBe(true);
  expect(log.leaves[receipt.leaf.index]).toBe(receipt.leaf.hash);
  expect(await receiptProblems(receipt)).toEqual([]);
});

test.each(["UPDATE evidence_log SET hash = ''", "DELETE FROM evidence_log", "TRUNCATE evidence_log"])(
  "the database refuses %s, even to its owner",
  async (statement) => {
    await append();
    await expect(sql(statement)).rejects.toThrow("A row of evidence_log is never changed or deleted");
  },
);

// The tests from here on come last, because the thousands of leaves that they append would slow down any later test.

/** Appends the erasures of this many new applications. */
async function eraseMany(count: number, at = "now()"): Promise<void> {
  await sql(`WITH made AS (
      INSERT INTO applications (reference, "erasedAt") SELECT md5(random()::text), ${at} FROM generate_series(1, ${count})
      RETURNING id, "erasedAt"
    ) INSERT INTO events ("applicationId", kind, at, by) SELECT id, 'erased', "erasedAt", 'Vera' FROM made`);
  await append();
}

test("only the last leaf of a backlog gets a head, and no leaf counts as backdated", async () => {
  await append();
  const before = (await verified()).log;
  // One that has a leaf already does not make the batch look like the last.
  await sql('INSERT INTO evidence_pending SELECT min("eventId") FROM evidence_log');
  await eraseMany(1001, "now() + random() * interval '9 minutes'");
  const { log, problems, unsigned } = await verified();
  expect([log.head.size - before.head.size, log.earlierHeads, unsigned, problems]).toEqual([
    1001,
    [...before.earlierHeads, before.head],
    0,
    [],
  ]);
});

test("verify looks into the queue for no event that has a leaf, however badly Postgres plans", async () => {
  await eraseMany(100);
  // A burst of events leaves dead rows in the queue, until Postgres cleans up.
  await sql("INSERT INTO evidence_pending SELECT -n FROM generate_series(1, 20000) AS n");
  await sql('DELETE FROM evidence_pending WHERE "eventId" < 0');
  for (const setting of [
    "enable_indexscan = off",
    "enable_indexonlyscan = off",
    "enable_bitmapscan = off",
    "work_mem = 64",
  ])
    await sql(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting}', current_database()); END $$`);
  const reads = async () => {
    const [queue] = await sql(
      "SELECT seq_scan + idx_scan AS reads FROM pg_stat_user_tables WHERE relname = 'evidence_pending'",
    );
    return Number(queue?.reads);
  };
  const before = await reads();
  expect(await problemsOfLog()).toEqual([]);
  // The connection of verify has ended, and has reported what it read.
  await until(async () => (await reads()) > before);
  expect((await reads()) - before).toBeLessThan(10);
});
