import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { Pool, QueryResult } from "pg";

/** Prisma's Postgres adapter, which also reads the "char" columns of the catalogue that the migration engine asks for. */
export class MigrationAdapter extends PrismaPg {
  constructor(pool: Pool) {
    super(notingLetters(pool));
  }

  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of letterColumns.get(result.rows) ?? []) result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }
}

/** OID of Postgres's internal type "char", frequent in its catalogue, which the adapter rejects. */
const letterType = 18;
const textType = 25;

/** The indexes of a result's "char" columns, keyed by its rows, the only part that the adapter passes on. */
const letterColumns = new WeakMap<object, number[]>();

/** Relabels "char" as text, which the adapter reads the same way, and remembers the columns for queryRaw above. */
function notingLetters(pool: Pool): Pool {
  const query = pool.query.bind(pool) as (...sent: unknown[]) => Promise<QueryResult>;
  const noting = async (...sent: unknown[]) => {
    const result = await query(...sent);
    const letters = (result.fields ?? []).filter((field) => field.dataTypeID === letterType);
    letterColumns.set(
      result.rows ?? result,
      letters.map((field) => result.fields.indexOf(field)),
    );
    for (const field of letters) field.dataTypeID = textType;
    return result;
  };
  return Object.assign(pool, { query: noting });
}
