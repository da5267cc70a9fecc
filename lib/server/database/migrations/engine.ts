import "server-only";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine, SchemasContainer } from "@prisma/schema-engine-wasm";
import { Pool } from "pg";
import { migrationNames, migrationSql, migrationsFolder } from "./migration-files";

/** Nothing in our database is managed elsewhere. */
export const everything = { externalTables: [], externalEnums: [] };

/** Prisma's own migration engine, as WebAssembly: its binary would have to be downloaded. */
export async function withEngine<T>(url: string, use: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    const { SchemaEngine } = await loadEngine();
    const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
    const files = schema().files.map(({ path, content }): [string, string] => [path, content]);
    const engine = await SchemaEngine.new({ datamodels: files }, () => {}, adapter);
    return await use(engine);
  } finally {
    await pool.end();
  }
}

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

export function migrationList(): MigrationList {
  const lockfile = "migration_lock.toml";
  return {
    baseDir: migrationsFolder,
    lockfile: { path: lockfile, content: readFileSync(join(migrationsFolder, lockfile), "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: migrationNames().map((name) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: migrationSql(name) } },
    })),
  };
}
