import { command, refuseWithoutDatabase } from "@/lib/cli/shared/command";
import { embeddedPostgres } from "@/lib/server/db/embedded";
import { applyMigrations } from "@/lib/server/db/migrations";
import { missingRoles } from "@/lib/server/db/roles";
import { currentSettings } from "@/lib/server/settings";

const usage = `Applies the pending migrations. It can be run again safely.

  bin/rent migrate`;

export default command(module, { usage }, async () => {
  const { DATABASE_URL: databaseUrl } = currentSettings();
  if (!databaseUrl) refuseWithoutDatabase({ mayCreate: true });
  // A process that starts the embedded Postgres migrates it, but grants privileges only with a migration. roles.sql may be newer.
  const applied = await applyMigrations(databaseUrl || (await embeddedPostgres()).owner);
  for (const name of applied) console.log(`Applied ${name}`);
  console.log("The database is up to date.");
  const missing = databaseUrl ? await missingRoles(databaseUrl) : [];
  if (missing.length > 0) console.error(`Missing: ${missing.join(", ")}. Run 'npm run roles'.`);
});
