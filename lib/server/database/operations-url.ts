import "server-only";
import { Client } from "pg";

const role = "rent_advance_operations";

/** The URL with operations' group role (migration 'operations_role'). Throws if this database user may not set it. */
export async function operationsUrl(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", `-c role=${role}`);
  // searchParams encodes a space as '+', which database drivers do not decode.
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
