import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A typical next migration: columns of tables that every call or the worker reads, and an index. */
export const nextScript = `ALTER TABLE "applications" ADD COLUMN "assessor" TEXT NOT NULL DEFAULT '';
CREATE INDEX "applications_assessor_idx" ON "applications"("assessor");
ALTER TABLE "links" ADD COLUMN "note" TEXT;
ALTER TABLE "messages" ADD COLUMN "campaign" TEXT;
`;

export const nextMigration = "29991231235959_assessor";

export const withoutNextMigration = `ALTER TABLE "applications" DROP COLUMN IF EXISTS "assessor";
  ALTER TABLE "links" DROP COLUMN IF EXISTS "note";
  ALTER TABLE "messages" DROP COLUMN IF EXISTS "campaign";
  DELETE FROM _prisma_migrations WHERE migration_name = '${nextMigration}'`;

/** Copies the migrations of this version into a folder, and adds the next migration. */
export function writeNextMigrations(folder: string): void {
  cpSync(join(process.cwd(), "prisma/migrations"), folder, { recursive: true });
  mkdirSync(join(folder, nextMigration));
  writeFileSync(join(folder, nextMigration, "migration.sql"), nextScript);
}
