import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { embeddedPostgres } from "@/lib/server/database/embedded";
import { schemaDifference } from "@/lib/server/database/migrations/difference";
import { migrationsFolder } from "@/lib/server/database/migrations/migration-files";
import { currentSettings } from "@/lib/server/env";
import { migrationCommand, UsageError } from "./command";

const usage = "  npm run migrate:new -- name-of-the-change";

/** Writes the SQL that leads from the existing migrations to schema.prisma, and does not apply it. */
migrationCommand(async () => {
  const [name, ...rest] = process.argv.slice(2);
  if (!name || !/^[a-z0-9_-]+$/.test(name) || rest.length > 0) throw new UsageError(usage);
  const sql = await schemaDifference(currentSettings().databaseUrl ?? (await embeddedPostgres()));
  if (sql === "") return console.log("The migrations and schema.prisma agree: there is nothing to write.");
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = join(migrationsFolder, `${time}_${name.replaceAll("-", "_")}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "migration.sql"), `${sql}\n`);
  console.log(`Wrote ${folder}/migration.sql. Read it, then run 'npm run migrate'.`);
});
