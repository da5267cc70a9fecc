import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "./expect";

/** A typical next migration: a column and an index on the table that every call reads. */
const further = `ALTER TABLE "applications" ADD COLUMN "assessor" TEXT NOT NULL DEFAULT '';
CREATE INDEX "applications_assessor_idx" ON "applications"("assessor");
ALTER TABLE "links" ADD COLUMN "note" TEXT;
`;

/** Runs `npm run migrate` of a version with one more migration. */
export async function migrateOneFurther(url: string): Promise<void> {
  const project = process.cwd();
  const next = mkdtempSync(join(tmpdir(), "next-version-"));
  try {
    cpSync(join(project, "prisma/migrations"), join(next, "prisma/migrations"), { recursive: true });
    const ofPrisma = readdirSync("prisma").filter((name) => name !== "migrations");
    for (const name of [
      "node_modules",
      "lib",
      "package.json",
      "tsconfig.json",
      ...ofPrisma.map((one) => `prisma/${one}`),
    ])
      symlinkSync(join(project, name), join(next, name));
    const migration = join(next, "prisma/migrations/29991231235959_assessor");
    mkdirSync(migration);
    writeFileSync(join(migration, "migration.sql"), further);
    const flags = ["--conditions=react-server", "--import", "tsx", "lib/cli/migrate.ts"];
    const env = { ...process.env, DATABASE_URL: url };
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: next, env });
    expect(stdout.includes("assessor"), `migrate printed ${stdout}`);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}
