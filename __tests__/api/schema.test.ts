import { Client } from "pg";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { applyMigrations } from "@/lib/server/database/migrations/apply";
import { schemaDifference } from "@/lib/server/database/migrations/difference";
import { pendingMigrations } from "@/lib/server/database/migrations/pending";
import { operationsUrl } from "@/lib/server/database/operations-url";

const { url, sql } = freshDatabase();

test("the migrations and schema.prisma agree", async () => {
  expect(await schemaDifference(url)).toBe("");
}, 20_000);

test("a migrated database lacks nothing, and migrating it again does nothing", async () => {
  expect(await pendingMigrations(url)).toEqual([]);
  expect(await applyMigrations(url)).toEqual([]);
});

test("operations read everything but the hashes of tokens, and write nothing", async () => {
  await invited();
  const tables = await sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const client = new Client({ connectionString: await operationsUrl(url) });
  await client.connect();
  const refused = (statement: string) => expect(client.query(statement)).rejects.toThrow(/permission denied/);
  try {
    for (const { name } of tables) {
      if (name === "link_tokens") await refused("SELECT * FROM link_tokens");
      else await client.query(`SELECT * FROM ${name}`);
      await refused(`DELETE FROM ${name}`);
    }
    await refused("UPDATE applications SET status = 'approved'");
    await refused("INSERT INTO events (kind) VALUES ('submitted')");
    await refused("TRUNCATE events");
    await expect(client.query("CREATE TABLE mine (id int)")).rejects.toThrow(/permission denied/);
  } finally {
    await client.end();
  }
});
