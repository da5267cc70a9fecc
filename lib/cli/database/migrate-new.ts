import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "@/lib/cli/shared/command";
import { UsageError } from "@/lib/cli/shared/flags";
import { embeddedPostgres } from "@/lib/server/db/embedded";
import { migrationsFolder } from "@/lib/server/db/files";
import { schemaDifference } from "@/lib/server/db/schema-difference";
import { currentSettings } from "@/lib/server/settings";

const usage = `Writes a migration with the changes to schema.prisma since the last migration, without applying it.

  bin/rent migrate:new name-of-the-change`;

export default command(module, { usage, takesWords: true }, async ({ words }) => {
  const [name, ...rest] = words;
  if (!name || rest.length > 0) throw new UsageError("One name is needed.");
  if (!/^[a-z0-9_-]+$/.test(name))
    throw new UsageError("The name must consist of lower-case letters, digits, - and _.");
  const sql = await schemaDifference(currentSettings().DATABASE_URL ?? (await embeddedPostgres()).owner);
  if (sql === "") console.log("The migrations and schema.prisma agree: there is nothing to write.");
  else {
    const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
    const folder = join(migrationsFolder, `${time}_${name.replaceAll("-", "_")}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "migration.sql"), `${sql}\n`);
    console.log(`Wrote ${folder}/migration.sql. Read it, then run 'npm run migrate'.`);
  }
  // Timers of Prisma's migration engine would keep the process alive for ten more seconds.
  if (require.main === module) process.exit();
});
