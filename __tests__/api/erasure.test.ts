import { landlord } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { unreachableProviders } from "@/__tests__/support/providers";
import { setStatus } from "@/__tests__/support/set-status";
import { reportFigure } from "@/__tests__/support/size";
import { filledIn, fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { withSettings } from "@/__tests__/support/with-settings";
import { eraseApplication, eraseOld } from "@/lib/server/applications/erase";
import { addNote } from "@/lib/server/applications/handling";
import { reissueLink } from "@/lib/server/invitations/links";
import { readSettings } from "@/lib/server/settings";

const { sql, countRows, blockedBy, insertMessage, operationsUrl } = freshDatabase();

/** The columns of each table that an erasure keeps. Every other column must return to its default. */
const kept: Record<string, string[]> = {
  applications: [
    ...["id", "reference", "status", "source", "batch", "rowHash", "apiKeyId"],
    ...["submittedAt", "erasedAt", "createdAt", "updatedAt"],
  ],
  events: ["id", "applicationId", "linkId", "kind", "detail", "at", "by", "databaseUser", "reasonHash"],
  consent_records: [
    ...["id", "applicationId", "version", "document", "documentHash", "recordHash", "reviewed"],
    ...["authoriseAgent", "provideSelf", "confirmLoan", "consentedAt"],
  ],
  messages: [
    ...["id", "number", "applicationId", "kind", "channel", "detail", "template", "state", "dueAt", "attempts"],
    ...["createdAt", "sentAt", "by"],
  ],
  message_attempts: ["id", "messageId", "applicationId", "at", "endedAt", "outcome"],
};

interface Column {
  name: string;
  type: string;
  otherwise: string;
}

/** For each type, an SQL value that is no column's default. */
const nonDefault: Record<string, string> = {
  text: "'Ada'",
  numeric: "12.34",
  _numeric: "'{12.34}'",
  date: "'2020-01-01'",
  timestamptz: "'2020-01-01'",
  jsonb: `'{"firstName":"Ada"}'`,
  uuid: "gen_random_uuid()",
};

const ownerOf = (table: string) => (table === "applications" ? "id" : `"applicationId"`);

/** The columns that an erasure has to blank, and their defaults as SQL. */
async function personalColumns(table: string): Promise<Column[]> {
  const columns = await sql<Column>(
    `SELECT column_name AS name, udt_name AS type, coalesce(column_default, 'NULL') AS otherwise
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  return columns.filter(({ name }) => !kept[table]?.includes(name));
}

async function fillEveryColumn(table: string, id: string): Promise<void> {
  const values = (await personalColumns(table)).map(({ name, type }) => `"${name}" = ${nonDefault[type]}`);
  await sql(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await sql(`UPDATE ${table} SET ${values.join(", ")} WHERE ${ownerOf(table)} = $1`, [id]);
  await sql(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

/** The columns that are not at their default in some row of the application, except the event of the erasure itself. */
async function leftIn(table: string, id: string): Promise<string[]> {
  const columns = await personalColumns(table);
  const checks = columns.map(({ name, otherwise }) => `"${name}" IS DISTINCT FROM ${otherwise} AS "${name}"`);
  const exceptErasure = table === "events" ? "AND kind <> 'erased'" : "";
  const rows = await sql<Record<string, boolean>>(
    `SELECT ${checks.join(", ")} FROM ${table} WHERE ${ownerOf(table)} = $1 ${exceptErasure}`,
    [id],
  );
  if (rows.length === 0) throw new Error(`${table} has no row to look at`);
  return columns.map(({ name }) => name).filter((name) => rows.some((row) => row[name]));
}

const lockApplication = "SELECT FROM applications WHERE id = $1 FOR UPDATE";
const age = (id: string) =>
  sql(`UPDATE applications SET "updatedAt" = now() - interval '25 months' WHERE id = $1`, [id]);

async function keptValues(table: string, id: string) {
  const rows = await sql(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${ownerOf(table)} = $1 ORDER BY id`, [id]);
  const names = kept[table]?.filter((name) => name !== "erasedAt");
  return rows.map(({ row }) => names?.map((name) => row[name]));
}

/** A submitted application with a message and an attempt to send it. */
async function confirmed() {
  const application = await submitted();
  const { id } = await insertMessage({ applicationId: application.id, kind: "confirmation", state: "sent" });
  await sql(`INSERT INTO message_attempts ("messageId", "applicationId") VALUES ($1, $2)`, [id, application.id]);
  return application;
}

/** An erasure that commits while something waits for its locks. */
const eraseNow = "SELECT erase_applications(ARRAY[$1::uuid], 'Ines')";
const erasuresOf = (id: string) => sql(`SELECT by FROM events WHERE "applicationId" = $1 AND kind = 'erased'`, [id]);
const eraseOldDrafts = () => eraseOld("draft", 24, "Ops");

test.each(["applications", "events"])(
  "retention erases an old draft in %s and leaves only the permitted columns",
  async (table) => {
    const { id } = await filledIn();
    await fillEveryColumn(table, id);
    await age(id);
    expect(await eraseOldDrafts()).toBe(1);
    expect(await leftIn(table, id)).toEqual([]);
  },
);

test.each(Object.keys(kept))(
  "an erasure after submission leaves the retained columns of %s unchanged",
  async (table) => {
    const { id, reference } = await confirmed();
    await fillEveryColumn(table, id);
    const before = await keptValues(table, id);
    expect((await leftIn(table, id)).length).toBeGreaterThan(0);
    expect(await eraseApplication(reference, "Ops")).toBe(reference);
    expect(await leftIn(table, id)).toEqual([]);
    expect((await keptValues(table, id)).slice(0, before.length)).toEqual(before);
  },
);

test("an erasure records when and by whom it was made, and revokes the link", async () => {
  const { id, reference } = await confirmed();
  await eraseApplication(reference, "Ops");
  expect(await countRows(`applications WHERE id = '${id}' AND "erasedAt" IS NOT NULL`)).toBe(1);
  expect(await erasuresOf(id)).toEqual([{ by: "Ops" }]);
  expect(await sql(`SELECT FROM links WHERE "applicationId" = $1 AND "revokedAt" IS NULL`, [id])).toEqual([]);
});

test("unsent messages to an erased person are not sent, and the person's opt-out is kept", async () => {
  const { id, reference } = await invited({ firstName: "Ada" });
  await insertMessage({ applicationId: id, kind: "reminder" });
  await insertMessage({ applicationId: id, kind: "invitation", state: "sending" });
  await sql(`INSERT INTO suppressions (channel, "addressHash") VALUES ('email', 'a hash')`);
  await eraseApplication(reference, "Ops");
  expect(await sql(`SELECT DISTINCT state, recipient FROM messages WHERE "applicationId" = $1`, [id])).toEqual([
    { state: "cancelled", recipient: "" },
  ]);
  expect(await sql("SELECT FROM suppressions")).toHaveLength(1);
  reportFigure(52, "a person erased: every personal column of messages and attempts empty, the hash of a stop kept");
});

test("after an erasure and ANALYZE, the statistics of Postgres hold no value of the person", async () => {
  const references: string[] = [];
  for (const n of [1, 2, 3]) {
    const email = `canary${n}@landlord.example`;
    const { id, reference } = await invited({ email, firstName: `Canaria${n}` });
    await insertMessage({ applicationId: id, kind: "reminder", recipient: email });
    references.push(reference);
  }
  const held = () => sql(`SELECT tablename, attname FROM pg_stats WHERE pg_stats::text ~* 'canar'`);
  await sql("ANALYZE");
  expect(await held()).not.toEqual([]);
  for (const reference of references) await eraseApplication(reference, "Ines");
  await sql("ANALYZE");
  expect(await held()).toEqual([]);
});

test("a draft that was erased, reissued and filled again is erased again, and then left alone", async () => {
  const { id, reference } = await invited({ firstName: "Ada" });
  await age(id);
  expect(await eraseOldDrafts()).toBe(1);
  expect(await eraseOldDrafts()).toBe(0);
  const { token } = await reissueLink(reference, { expiresDays: 30, by: "" });
  await fillIn(token);
  await age(id);
  expect(await eraseOldDrafts()).toBe(1);
  for (const table of ["applications", "events"]) expect(await leftIn(table, id)).toEqual([]);
  expect(await sql(`SELECT trim("searchText") AS text FROM applications WHERE id = $1`, [id])).toEqual([{ text: "" }]);
  await age(id);
  expect(await eraseOldDrafts()).toBe(0);
  reportFigure(
    39,
    "every personal column empty after an erasure; a draft erased, reissued, filled and aged erased again",
  );
});

test("an old draft with a link issued today is left alone", async () => {
  const { id, reference } = await invited({ firstName: "Ada" });
  await age(id);
  await reissueLink(reference, { expiresDays: 30, by: "" });
  expect(await eraseOldDrafts()).toBe(0);
});

test("retention erases in batches that are committed one by one, and prints its progress", async () => {
  await sql(
    `INSERT INTO applications (reference, "firstName", "updatedAt")
     SELECT 'BATCH-' || n, 'Ada', now() - interval '25 months' FROM generate_series(1, 1201) AS n`,
  );
  expect(await callCommand("retention", ["--months", "24"], { DATABASE_URL: operationsUrl })).toEqual({
    code: 0,
    out: "Personal data erased from 1,201 applications with the status 'draft'.\n",
    err: "500 erased so far.\n1,000 erased so far.\n",
  });
  // erasedAt is the start of the transaction, so it tells the batches apart.
  const summary = `SELECT count(*) FILTER (WHERE "firstName" <> '')::int AS left, count(DISTINCT "erasedAt")::int AS transactions
    FROM applications WHERE reference LIKE 'BATCH-%'`;
  expect(await sql(summary)).toEqual([{ left: 0, transactions: 3 }]);
});

test("retention reads a bounded number of applications at a time, and continues past erased ones", async () => {
  const at = (n: number) => `00000000-0000-0000-0000-00000000000${n}`;
  await sql(
    `INSERT INTO applications (id, reference, "firstName", "erasedAt", "updatedAt")
     SELECT ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'FAR-' || n, CASE WHEN n IN (1, 9) THEN 'Ada' ELSE '' END,
       CASE WHEN n NOT IN (1, 9) THEN now() END, now() - interval '25 months' FROM generate_series(1, 9) AS n`,
  );
  const named = `SELECT reference FROM applications WHERE "firstName" <> '' AND reference LIKE 'FAR-%'`;
  const erase = () => eraseOld("draft", 24, "Ops", () => {}, 3);
  // What was found before the locked row is already committed, because it was read by a statement of its own.
  const requireOthersErased = async () => expect(await sql(named)).toEqual([{ reference: "FAR-9" }]);
  expect(await blockedBy(lockApplication, [at(9)], erase, requireOthersErased)).toBe(2);
  expect(await sql(named)).toEqual([]);
});

test.each<[what: string, write: (reference: string) => Promise<unknown>]>([
  ["note", (reference) => addNote(reference, "Called Ada on 0412 345 678", "Rui")],
  ["decision's reason", (reference) => setStatus(reference, "approved", { by: "Rui", reason: "Ada earns enough" })],
])("a %s that waits for an erasure is refused", async (_, write) => {
  const { reference, id } = await confirmed();
  const late = blockedBy(eraseNow, [id], () => write(reference));
  await expect(late).rejects.toThrow(`${reference} was erased`);
  expect(await sql(`SELECT reason FROM events WHERE "applicationId" = $1 AND reason <> ''`, [id])).toEqual([]);
  expect(await setStatus(reference, "approved", { by: "Rui" })).toMatchObject({ emailedAt: null });
});

test("a decision on an erased application is emailed only to an address that was typed since", async () => {
  const { reference } = await confirmed();
  await eraseApplication(reference, "Ops");
  const refilled = await invited({ firstName: "Ada" });
  await eraseApplication(refilled.reference, "Ops");
  const { token } = await reissueLink(refilled.reference, { expiresDays: 30, by: "" });
  await fillInAndSubmit(token);
  const channels = { ...unreachableProviders, SANDBOX_RECIPIENTS: "*" };
  await withSettings(readSettings({ ...process.env, ...channels }), async () => {
    expect(await setStatus(reference, "approved", { by: "Rui" })).toMatchObject({ email: "", emailedAt: null });
    await setStatus(refilled.reference, "approved", { by: "Rui" });
  });
  const webhook = { kind: "application.status_changed", channel: "webhook", recipient: "" };
  expect(await sql("SELECT kind, channel, recipient FROM messages WHERE detail = 'approved' ORDER BY number")).toEqual([
    webhook,
    { kind: "status", channel: "email", recipient: landlord.email },
    webhook,
  ]);
});
