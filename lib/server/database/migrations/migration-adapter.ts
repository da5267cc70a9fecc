import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { Pool, QueryResult } from "pg";

/** Prisma's adapter, with the three things put right that migrations need and queries do not. */
export class MigrationAdapter extends PrismaPg {
  constructor(
    pool: Pool,
    private readonly shadow?: Pool,
  ) {
    super(notingLetters(pool));
  }

  override async connect() {
    const adapter = await super.connect();
    // It would cut a script at every semicolon, those inside a function's body too: Postgres gets it whole instead.
    adapter.executeScript = async (script) => {
      await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
    };
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const column of letterColumns.get(result.rows) ?? []) result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }

  /** Given a URL, the adapter would take that very database for a shadow of itself. */
  override connectToShadowDb() {
    if (!this.shadow) throw new Error("There is no shadow database to play the migrations into.");
    return new MigrationAdapter(this.shadow).connect();
  }
}

/** Postgres's internal type of one letter, which its catalogue is full of and the adapter refuses. */
const letterType = 18;
const textType = 25;

/** By the rows of a result: which of their columns are such letters. */
const letterColumns = new WeakMap<object, number[]>();

/** Shows letters to the adapter as text, which it reads the same way, and notes where they were. */
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
