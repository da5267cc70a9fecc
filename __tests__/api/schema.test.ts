import { freshDatabase } from "@/__tests__/support/database";
import { submitted } from "@/__tests__/support/submitted";
import { schemaDifference } from "@/lib/server/db/schema-difference";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";

const { url, sql } = freshDatabase();

test("the migrations and schema.prisma agree", async () => {
  expect(await schemaDifference(url)).toBe("");
});

test("the indexes of due messages divide them into commercial and other kinds", async () => {
  for (const index of ["messages_due_idx", "messages_commercial_due_idx"]) {
    const [found] = await sql("SELECT pg_get_indexdef($1::regclass) AS definition", [index]);
    expect(found?.definition.match(/'[\w-]+'(?=::text)/g)).toEqual(commercialKinds.map((kind) => `'${kind}'`));
  }
});

test("a caller's search_path cannot put other functions or tables in front of those of a trigger", async () => {
  const found = await sql(
    `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     AND (prosecdef OR prorettype = 'trigger'::regtype) AND proconfig IS NULL`,
  );
  expect(found).toEqual([]);
});

/** After submission, triggers refuse these statements even to the owner of the tables. */
test.each([
  `UPDATE applications SET "firstName" = 'Eve'`,
  `UPDATE applications SET "loanAmount" = 1`,
  `UPDATE applications SET status = 'draft'`,
  `UPDATE applications SET "submittedAt" = now()`,
  `UPDATE consent_records SET document = ''`,
  `UPDATE consent_records SET "confirmLoan" = false`,
  "DELETE FROM consent_records",
  "TRUNCATE consent_records",
  `UPDATE events SET detail = 'x'`,
  "DELETE FROM events",
  "TRUNCATE events CASCADE",
  "TRUNCATE applications CASCADE",
  "DELETE FROM applications",
])("after submission %s is refused", async (statement) => {
  await submitted();
  await expect(sql(statement)).rejects.toThrow(/is never changed|violates .*foreign key/);
  await sql(`UPDATE applications SET status = 'approved' WHERE status <> 'draft'`);
});
