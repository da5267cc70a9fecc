import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeNextMigrations } from "@/__tests__/support/next-migration";
import { expect } from "./expect";

/** Runs `npm run migrate` of a version with one more migration. */
export async function migrateOneFurther(url: string): Promise<void> {
  const project = process.cwd();
  const next = mkdtempSync(join(tmpdir(), "next-version-"));
  try {
    writeNextMigrations(join(next, "prisma/migrations"));
    const prismaFiles = readdirSync("prisma").filter((name) => name !== "migrations");
    const files = ["node_modules", "lib", "package.json", "tsconfig.json"];
    for (const name of [...files, ...prismaFiles.map((file) => `prisma/${file}`)])
      symlinkSync(join(project, name), join(next, name));
    const flags = ["--conditions=react-server", "--import", "tsx", "lib/cli/database/migrate.ts"];
    const env = { ...process.env, DATABASE_URL: url };
    const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: next, env });
    expect(stdout.includes("assessor"), `migrate printed ${stdout}`);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}
