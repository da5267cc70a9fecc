import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A typical next migration: a column and an index on the table that every call reads. */
const further = `ALTER TABLE "applications" ADD COLUMN "assessor" TEXT NOT NULL DEFAULT '';
CREATE INDEX "applications_assessor_idx" ON "applications"("assessor");
ALTER TABLE "links" ADD COLUMN "note" TEXT;
`;

/** Runs `npm run migrate` of a version with one more migration. */
export async function migrateOneFurther(url: string): Promise<string> {
  const project = process.cwd();
  const next = mkdtempSync(join(tmpdir(), "next-version-"));
  try {
    cpSync(join(project, "prisma/migrations"), join(next, "prisma/migrations"), { recursive: true });
    for (const name of [
      "node_modules",
      "lib",
      "package.json",
      "tsconfig.json",
      "prisma/schema.prisma",
      "prisma/generated",
    ])
      symlinkSync(join(project, name), join(next, name));
    const migration = join(next, "prisma/migrations/29991231235959_assessor");
    mkdirSync(migration);
    writeFileSync(join(migration, "migration.sql"), further);
    const flags = ["--conditions=react-server", "--import", "tsx", "lib/cli/migrate.ts"];
    const child = spawn(process.execPath, flags, {
      cwd: next,
      env: { ...process.env, DATABASE_URL: url },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const [code] = await once(child, "close");
    if (code !== 0 || !output.includes("assessor")) throw new Error(`The migration failed: ${output}`);
    return "two columns and an index";
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}
