import { fillIn } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { eraseOldDrafts, keptColumns } from "@/lib/server/applications/erase";

const { sql } = freshDatabase();

interface Column {
  name: string;
  type: string;
  otherwise: string;
}

/** Every column the database has, and its default as SQL. */
const columnsOf = (table: string) =>
  sql<Column>(
    `SELECT column_name AS name, udt_name AS type, coalesce(column_default, 'NULL') AS otherwise
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
    [table],
  );

/** For each type, a value that no column has as its default. */
const something: Record<string, string> = {
  text: "'Ada'",
  numeric: "12.34",
  _numeric: "'{12.34}'",
  date: "'2020-01-01'",
  timestamptz: "'2020-01-01'",
};

test.each(Object.entries(keptColumns))(
  "an erasure resets every column of %s that is not named as kept",
  async (table, kept) => {
    const { id, token } = await invited();
    await fillIn(token);
    const columns = await columnsOf(table);
    const names = columns.map(({ name }) => name);
    for (const name of kept) expect(names).toContain(name);
    const personal = columns.filter(({ name }) => !kept.some((one) => one === name));
    expect(personal.length).toBeGreaterThan(0);

    const owner = table === "applications" ? "id" : `"applicationId"`;
    const values = personal.map(({ name, type }) => `"${name}" = ${something[type]}`);
    await sql(`UPDATE ${table} SET ${values.join(", ")} WHERE ${owner} = $1`, [id]);
    await sql(`UPDATE applications SET "updatedAt" = now() - interval '25 months' WHERE id = $1`, [id]);
    expect(await eraseOldDrafts(24)).toBe(1);

    const left = personal.map(({ name, otherwise }) => `"${name}" IS DISTINCT FROM ${otherwise} AS "${name}"`);
    const rows = await sql<Record<string, boolean>>(`SELECT ${left.join(", ")} FROM ${table} WHERE ${owner} = $1`, [
      id,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.keys(row).filter((name) => row[name])).toEqual([]);
  },
);

test("an erased application keeps its reference and when it was erased", async () => {
  const { id, reference } = await invited({ firstName: "Ada" });
  await sql(`UPDATE applications SET "updatedAt" = now() - interval '25 months' WHERE id = $1`, [id]);
  await eraseOldDrafts(24);
  const [row] = await sql(`SELECT reference, "erasedAt" IS NOT NULL AS erased FROM applications WHERE id = $1`, [id]);
  expect(row).toEqual({ reference, erased: true });
});
