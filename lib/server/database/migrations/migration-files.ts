import "server-only";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const migrationsFolder = join(process.cwd(), "prisma/migrations");

/** The migrations of this version of the app, oldest first: their folder names begin with a timestamp. */
export function migrationNames(): string[] {
  return readdirSync(migrationsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

export function migrationSql(name: string): string {
  return readFileSync(join(migrationsFolder, name, "migration.sql"), "utf8");
}
