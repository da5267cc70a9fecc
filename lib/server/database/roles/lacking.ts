import "server-only";
import type { ClientBase } from "pg";
import { ofApp } from "./rights";

const needed = Object.entries(ofApp).flatMap(([table, rights]) => rights.split(", ").map((right) => [table, right]));

const find = `
  SELECT CASE WHEN c.oid IS NULL THEN 'no table ' || n.name ELSE 'no ' || n.right || ' on ' || n.name END AS lack
  FROM unnest($1::text[], $2::text[]) AS n(name, "right")
  LEFT JOIN pg_class c ON c.relname = n.name AND c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
  WHERE c.oid IS NULL OR NOT has_table_privilege(c.oid, n.right)
  GROUP BY 1 ORDER BY 1`;

/** What the app needs and this session's user does not have: 'no INSERT on events'. Empty where nothing is missing. */
export async function lackingOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query(find, [needed.map(([table]) => table), needed.map(([, right]) => right)]);
  return rows.map(({ lack }) => lack as string);
}
