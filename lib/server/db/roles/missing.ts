import "server-only";
import { withConnection } from "@/lib/server/db/connection";
import { roleKinds, roleName } from "./names";
import { placeOf } from "./rights";

/**
 * Which database users a database has not, or which have no rights in it: a dump has none of the server's users, and a
 * restore on a server without them none of their rights.
 */
export function missingRoles(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    const { database, existing } = await placeOf(client);
    const names = existing.map((kind) => roleName(database, kind));
    const { rows } = await client.query(
      "SELECT name FROM unnest($1::text[]) AS name WHERE NOT has_table_privilege(name, 'applications', 'SELECT')",
      [names],
    );
    const absent = roleKinds.filter((kind) => !existing.includes(kind));
    return [
      ...absent.map((kind) => `the database user ${roleName(database, kind)}`),
      ...rows.map(({ name }) => `the rights of ${name}`),
    ];
  });
}
