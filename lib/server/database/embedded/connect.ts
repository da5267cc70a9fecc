import "server-only";
import { Client, DatabaseError } from "pg";
import type { Files } from "./files";
import { database, urlOf } from "./identity";
import { type Postmaster, readPostmaster } from "./postmaster";

/**
 * Advisory locks of Postgres: each user holds the first one shared, the keeper holds the second. A connection that ends,
 * however it ends, gives its locks back.
 */
export const locks = { inUse: 7_214_530_962, kept: 7_214_530_963 };

export interface Connected {
  client: Client;
  postmaster: Postmaster;
}

/** Null while no Postgres takes connections; throws where one is there but will not let us in. */
export async function connect(files: Files, name: "user" | "keeper"): Promise<Connected | null> {
  const postmaster = readPostmaster(files);
  if (!postmaster?.isReady) return null;
  const client = new Client({
    connectionString: urlOf(files, database, postmaster.port),
    application_name: `rent_advance ${name}`,
    connectionTimeoutMillis: 2000,
  });
  // What breaks it fails the next query; the event besides would end the process if nobody listened.
  client.on("error", () => {});
  try {
    await client.connect();
    return { client, postmaster };
  } catch (error) {
    // Class 57 of SQLSTATE: it is on its way up or down. Without a code it is nobody's answer, and a matter of time.
    if (!(error instanceof DatabaseError) || error.code?.startsWith("57")) return null;
    throw new Error(`The embedded Postgres lets nobody in: ${error.message}.`);
  }
}

/** Whether a lock was to be had at once. */
export async function tryLock(
  client: Client,
  kind: "lock" | "lock_shared" | "xact_lock" | "xact_lock_shared",
  key: number,
) {
  const { rows } = await client.query(`SELECT pg_try_advisory_${kind}($1) AS taken`, [key]);
  return rows[0].taken as boolean;
}
