import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { canonicalize } from "json-canonicalize";
import { freshDatabase } from "@/__tests__/support/database";
import { evidenceKeys } from "@/__tests__/support/evidence";
import { submitted } from "@/__tests__/support/submitted";
import { prisma } from "@/lib/server/db/client";
import { insertAll } from "@/lib/server/db/statements";
import { appendAll } from "@/lib/server/evidence/append";
import { evidenceReceipt } from "@/lib/server/evidence/receipt";
import { completed, leafHash, rangeHash, type StoredLeaf } from "@/lib/server/evidence/tree";
import { createHash } from "node:crypto";

jest.setTimeout(1_800_000);
const { sql, operationsUrl } = freshDatabase();
const keys = evidenceKeys();
test("bench", async () => {
  const key = keys.make();
  keys.signWith(key.file);
  const { id } = await submitted();
  await appendAll(prisma());
  const [made] = await sql<any>(`SELECT "applicationId" AS id, to_jsonb(c) - '{id,applicationId,recordHash}'::text[] AS record FROM consent_records c LIMIT 1`);
  const stored: StoredLeaf[] = (await sql<any>(`SELECT hash, subtrees FROM evidence_log ORDER BY index`)) as any;
  const lookup = (i: number) => stored[i] as StoredLeaf;
  const [{ max }] = (await sql<any>("SELECT max(id)::int AS max FROM events")) as any;
  const count = 100_000 - stored.length;
  let next = Number(max) + 1;
  for (let from = 0; from < count; from += 5000) {
    const at = new Date().toISOString();
    const rows = Array.from({ length: Math.min(5000, count - from) }, (_, n) => {
      const reference = `N${String(from + n).padStart(8, "0")}`;
      const salt = randomBytes(32).toString("hex");
      const record = { ...made.record, reference, salt, consentedAt: at };
      return { id: randomUUID(), eid: next++, reference, salt, hash: createHash("sha256").update(canonicalize(record)).digest("hex") };
    });
    await sql(
      `WITH given AS (SELECT * FROM json_to_recordset($1::json) AS g (id uuid, eid bigint, reference text, salt text, hash text)),
       copied AS (
         INSERT INTO applications SELECT (json_populate_record(t.a, json_build_object('id', g.id, 'reference', g.reference, 'rowHash', NULL, 'submittedAt', $3::text))).*
         FROM given g, (SELECT a FROM applications a WHERE id = $2) t
       ), recorded AS (
         INSERT INTO consent_records SELECT (json_populate_record(t.c, json_build_object('id', gen_random_uuid(),
           'applicationId', g.id, 'salt', g.salt, 'recordHash', g.hash, 'consentedAt', $3::text))).*
         FROM given g, (SELECT c FROM consent_records c WHERE "applicationId" = $2) t
       ) INSERT INTO events (id, "applicationId", kind, at) SELECT eid, id, 'submitted', $3::text::timestamptz FROM given`,
      [JSON.stringify(rows), made.id, at],
    );
    await sql("DELETE FROM evidence_pending");
    const leaves = rows.map(({ eid, hash }) => {
      const index = stored.length;
      const leaf = completed(index, leafHash(canonicalize({ kind: "consent", record: hash })), lookup);
      stored.push(leaf);
      const root = rangeHash([0, index + 1], lookup);
      const head = { size: index + 1, root, at, key: key.key.entry.key };
      return { ...leaf, index, eventId: eid, entry: null, at: new Date(at), root, key: head.key, signature: key.key.sign(head) };
    });
    await insertAll(prisma(), "evidence_log", leaves);
  }
  await sql("ANALYZE");
  writeFileSync("/tmp/bench-receipt.json", JSON.stringify(await evidenceReceipt(prisma(), id)));
  writeFileSync("/tmp/bench-url", operationsUrl);
  for (let n = 0; n < 1500 && !existsSync("/tmp/bench-stop"); n++) await sleep(1000);
});
