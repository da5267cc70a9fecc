import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import { Pool, type QueryResult } from "pg";
import { driverUrl } from "@/lib/server/database-url";
import { applyMigrations } from "./migrations";

const path = "prisma/schema.prisma";

/**
 * Returns the SQL that leads from the migrations to schema.prisma; empty if they agree. Applies the migrations to a temporary
 * database on the server of `url`. Used by `npm run migrate:new` and a test.
 */
export async function schemaDifference(url: string): Promise<string> {
  const name = `shadow_${randomUUID()}`;
  const shadowUrl = new URL(url);
  shadowUrl.pathname = `/${name}`;
  const pool = new Pool({ connectionString: driverUrl(url) });
  // Raw: Prisma cannot create databases.
  await pool.query(`CREATE DATABASE "${name}"`);
  try {
    await applyMigrations(shadowUrl.href);
    return await differenceOf(shadowUrl.href);
  } finally {
    // Raw: Prisma cannot drop databases.
    await pool.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    await pool.end();
  }
}

async function differenceOf(url: string): Promise<string> {
  engineGlue ??= loadEngine();
  const { SchemaEngine } = await engineGlue;
  const schema = readFileSync(join(process.cwd(), path), "utf8");
  const files = [{ path, content: schema }];
  const pool = new Pool({ connectionString: driverUrl(url) });
  // DROP DATABASE … WITH (FORCE) ends connections that are still closing, each with an 'error' event.
  pool.on("error", () => {});
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(pool));
    const engine = await SchemaEngine.new({ datamodels: [[path, schema]] }, () => {}, adapter);
    const { stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: process.cwd() },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const sql = stdout?.trim() ?? "";
    return sql === "-- This is an empty migration." ? "" : sql;
  } finally {
    await pool.end();
  }
}

/** Loaded once: the glue module holds one WebAssembly memory, so a second load would break the first engine. */
let engineGlue: ReturnType<typeof loadEngine> | undefined;

/** Prisma's migration engine as WebAssembly (docs/decisions/migrations-without-a-download.md). */
async function loadEngine() {
  const glue = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const main = createRequire(join(process.cwd(), "package.json")).resolve("@prisma/schema-engine-wasm");
  const module = await WebAssembly.compile(readFileSync(join(dirname(main), "schema_engine_bg.wasm")));
  const { exports } = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": { ...glue } });
  glue.__wbg_set_wasm(exports);
  (exports as { __wbindgen_start(): void }).__wbindgen_start();
  return glue;
}

/** OIDs of text and of Postgres's internal type "char", frequent in its catalogue, which Prisma's adapter rejects. */
const [textType, charType] = [25, 18];

/** Prisma's Postgres adapter, which also reads the "char" columns that the migration engine asks for, one query at a time. */
class MigrationAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const pool = adapter.underlyingDriver();
    const [query, queryRaw] = [pool.query.bind(pool), adapter.queryRaw.bind(adapter)];
    let charColumns: number[] = [];
    // The adapter reads "char" as it reads text.
    const asText = async (...args: Parameters<typeof query>) => {
      const result = (await query(...args)) as unknown as QueryResult;
      charColumns = result.fields.flatMap(({ dataTypeID }, column) => (dataTypeID === charType ? column : []));
      for (const column of charColumns) Object.assign(result.fields[column] ?? {}, { dataTypeID: textType });
      return result;
    };
    Object.assign(pool, { query: asText });
    adapter.queryRaw = async (sql) => {
      const result = await queryRaw(sql);
      for (const column of charColumns) result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }
}
