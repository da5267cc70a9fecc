import "server-only";
import type { ClientBase } from "pg";
import { ofApp } from "./rights";

const needed = Object.entries(ofApp).flatMap(([table, rights]) => rights.split(", ").map((right) => [table, right]));

const find = `
  SELECT DISTINCT CASE WHEN found IS NULL THEN 'table ' || name ELSE "right" || ' on ' || name END AS missing
  FROM unnest($1::text[], $2::text[]) AS needed (name, "right"), to_regclass(quote_ident(name)) AS found
  WHERE has_table_privilege(found, "right") IS NOT TRUE
    -- Of an event, the database writes some columns itself.
    AND CASE WHEN name = 'events' AND "right" = 'INSERT' THEN has_column_privilege(found, 'kind', "right") END IS NOT TRUE
  ORDER BY 1`;

/** What the app needs and does not find as this database user: 'table events', 'INSERT on events'. Empty if nothing. */
export async function lackingOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query(find, [needed.map(([table]) => table), needed.map(([, right]) => right)]);
  return rows.map(({ missing }) => missing as string);
}
