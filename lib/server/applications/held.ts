import "server-only";
import { escapeIdentifier } from "pg";
import { query } from "@/lib/server/db/query";
import { findByReference } from "./find-by-reference";

type Row = Record<string, unknown>;

/** Everything that is held on the people of an application: its own row, and by table those that point to it. */
export interface Held {
  reference: string;
  exportedAt: string;
  application: Row;
  [table: string]: unknown;
}

/** As they came: ids of links and messages are random. */
const order = `(to_jsonb(t) ->> 'number')::bigint, to_jsonb(t) ->> 'createdAt', id`;

/** By the columns there are, so that no new table has to be remembered. Hashes of tokens are about links, not people. */
const pointing = `
  SELECT table_name AS name FROM information_schema.columns
  WHERE table_schema = current_schema() AND column_name = 'applicationId' ORDER BY 1`;

export async function heldOn(given: string): Promise<Held> {
  const { id, reference } = await findByReference(given);
  const rowsOf = async (table: string, column: string) => {
    const from = `${escapeIdentifier(table)} t WHERE ${escapeIdentifier(column)} = $1`;
    const { rows } = await query<{ row: Row }>({
      text: `SELECT to_jsonb(t) AS row FROM ${from} ORDER BY ${order}`,
      values: [id],
    });
    return rows.map(({ row }) => row);
  };
  const { rows: tables } = await query<{ name: string }>({ text: pointing });
  const [application = {}] = await rowsOf("applications", "id");
  const held: Held = { reference, exportedAt: new Date().toISOString(), application };
  for (const { name } of tables) held[name] = await rowsOf(name, "applicationId");
  return held;
}
