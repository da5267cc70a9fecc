import "server-only";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine, SchemasContainer } from "@prisma/schema-engine-wasm";
import type { Pool } from "pg";
import { MigrationAdapter } from "./migration-adapter";
import { migrationNames, migrationSql, migrationsFolder } from "./migration-files";

/** No filters: every table and enum of the database is managed by these migrations. */
export const everything = { externalTables: [], externalEnums: [] };

/** Prisma's migration engine as WebAssembly (docs/decisions/migrations-without-a-download.md). */
export async function startEngine(pool: Pool, shadow?: Pool): Promise<SchemaEngine> {
  engineGlue ??= loadEngine();
  const { SchemaEngine } = await engineGlue;
  const datamodels = schema().files.map(({ path, content }): [string, string] => [path, content]);
  const adapter = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(pool, shadow));
  return SchemaEngine.new({ datamodels }, () => {}, adapter);
}

/** Loaded once: the glue module holds one WebAssembly memory, so a second load would break the first engine. */
let engineGlue: ReturnType<typeof loadEngine> | undefined;

async function loadEngine() {
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const main = createRequire(join(process.cwd(), "package.json")).resolve("@prisma/schema-engine-wasm");
  const module = await WebAssembly.compile(readFileSync(join(dirname(main), "schema_engine_bg.wasm")));
  const { exports } = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": { ...glue } });
  glue.__wbg_set_wasm(exports);
  (exports as { __wbindgen_start(): void }).__wbindgen_start();
  return glue;
}

export function schema(): SchemasContainer {
  const path = "prisma/schema.prisma";
  return { files: [{ path, content: readFileSync(join(process.cwd(), path), "utf8") }] };
}

/** The migrations in the engine's format, up to and including `last` if it is given. */
export function migrationList(last?: string): MigrationList {
  const lockfile = "migration_lock.toml";
  const names = migrationNames().filter((name) => last === undefined || name <= last);
  return {
    baseDir: migrationsFolder,
    lockfile: { path: lockfile, content: readFileSync(join(migrationsFolder, lockfile), "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: migrationSql(name) } },
    })),
  };
}
