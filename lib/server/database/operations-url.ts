import "server-only";
import { Client } from "pg";

const role = "rent_advance_operations";

/** The same database, taken on as the group role of operations (migration 'operations_role'). Throws where it may not be. */
export async function operationsUrl(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", `-c role=${role}`);
  // '+' is a space only in forms; drivers read the parameter as a URI.
  const restricted = url.toString().replaceAll("+", "%20");
  const client = new Client({ connectionString: restricted });
  try {
    await client.connect();
    await client.query("SELECT FROM applications LIMIT 1");
  } catch (cause) {
    throw new Error(`This database user may not take on the role ${role}: grant it, or run Studio as one who may.`, {
      cause,
    });
  } finally {
    await client.end();
  }
  return restricted;
}
