import "server-only";
import { applyMigrations } from "@/lib/server/database/migrations/apply";
import { makeRoles } from "@/lib/server/database/roles/make-roles";
import { urlAs } from "./identity";

/** Brings DATABASE_URL up to date, with its roles. A process of its own, because Prisma's engine leaves timers of ten seconds behind. */
const url = process.env.DATABASE_URL ?? "";

async function prepare(): Promise<void> {
  await applyMigrations(url);
  await makeRoles(url, (kind) => new URL(urlAs(kind, url)).password);
}

prepare().then(
  () => process.exit(),
  (error: Error) => {
    process.stderr.write(error.message);
    process.exit(1);
  },
);
