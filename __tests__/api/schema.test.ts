import { freshDatabase } from "@/__tests__/support/database";
import { submitted } from "@/__tests__/support/submitted";
import { pendingOn } from "@/lib/server/db/catalogue";
import { withConnection } from "@/lib/server/db/connection";
import { applyMigrations } from "@/lib/server/db/migrations";
import { schemaDifference } from "@/lib/server/db/schema-difference";

const { url, sql } = freshDatabase();

test("the migrations and schema.prisma agree", async () => {
  expect(await schemaDifference(url)).toBe("");
});

test("a migrated database has no pending migration, and migrating it again does nothing", async () => {
  expect(await withConnection(url, pendingOn)).toEqual([]);
  expect(await applyMigrations(url)).toEqual([]);
});

/** After submission, triggers refuse these statements even to the owner of the tables. */
test.each([
  `UPDATE applications SET "firstName" = 'Eve'`,
  `UPDATE applications SET "loanAmount" = 1`,
  `UPDATE applications SET status = 'draft'`,
  `UPDATE applications SET "submittedAt" = now()`,
  `UPDATE consent_records SET document = ''`,
  "DELETE FROM consent_records",
  "TRUNCATE consent_records",
  `UPDATE events SET detail = 'x'`,
  "DELETE FROM events",
  "TRUNCATE events CASCADE",
  "TRUNCATE applications CASCADE",
])("after submission %s is refused", async (statement) => {
  await submitted();
  await expect(sql(statement)).rejects.toThrow(/is never changed/);
  await sql(`UPDATE applications SET status = 'approved' WHERE status <> 'draft'`);
});
