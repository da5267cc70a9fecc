import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const migrationsFolder = join(process.cwd(), "prisma/migrations");

/** The migrations of this version of the app, oldest first: their folder names begin with a timestamp. */
export function migrationNames(): string[] {
  const entries = existsSync(migrationsFolder) ? readdirSync(migrationsFolder, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (names.length === 0) throw new Error(`The migrations of this version are missing: ${migrationsFolder} has none.`);
  return names.sort();
}

export const migrationSql = (name: string) => readFileSync(join(migrationsFolder, name, "migration.sql"), "utf8");

export const rolesSql = () => readFileSync(join(process.cwd(), "prisma/roles.sql"), "utf8");
