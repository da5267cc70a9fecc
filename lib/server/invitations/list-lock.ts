import { hostname } from "node:os";
import type { Client } from "pg";
import { formatToSecond } from "@/lib/domain/zone-time";
import { type Db, database, prisma } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { currentSettings } from "@/lib/server/settings";

// Raw throughout: advisory locks, on a dedicated connection, and the catalogue that shows who holds one.

/** The first of the two keys of these advisory locks. No other lock uses it. */
const listLock = 721_453_096;
const wholeRun = 1;
const oneTransaction = 2;

/**
 * Runs a command that issues the links of a list. Only one runs at a time: a second one throws an error that describes the
 * first. The lock belongs to a dedicated transaction that stays open, because a pooler may run the next transaction in another
 * session. Postgres releases the lock when the process ends, for whatever reason. `requireLock` throws if the lock was lost,
 * because another run may hold it then.
 */
export function withListLock<T>(by: string, run: (requireLock: () => Promise<void>) => Promise<T>): Promise<T> {
  return withConnection(database().url, async (client) => {
    await client.query("BEGIN");
    // The transaction is idle during the whole run. If this machine loses its network, the lock ends after a minute.
    await client.query(
      `SELECT set_config(name, value, true) FROM pg_settings JOIN (VALUES ('application_name', $1),
         ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3'),
         ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0')) AS wanted (name, value) USING (name)`,
      [applicationNameOf(by)],
    );
    while (!(await takeLock(client)));
    // Waits for a killed run's last transaction, which Postgres may still be committing. Its links would look unknown.
    await prisma().$executeRaw`SELECT pg_advisory_xact_lock(${listLock}::int, ${oneTransaction}::int)`;
    return run(async () => {
      await client.query("SELECT");
    });
  });
}

/** Every transaction that issues links of a list calls this, so that the next run waits for a killed run's last one. */
export async function shareListLock(tx: Db): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${listLock}::int, ${oneTransaction}::int)`;
}

/** The name that other runs see in pg_stat_activity. Postgres truncates it to 63 bytes. */
function applicationNameOf(by: string): string {
  return `list run by ${by.slice(0, 16) || "somebody"} on ${hostname().slice(0, 16)}, process ${process.pid}`;
}

/** Returns false if the run that held the lock has just ended. Throws an error that describes one that still holds it. */
async function takeLock(client: Client): Promise<boolean> {
  const lock = [listLock, wholeRun];
  const { rows } = await client.query("SELECT pg_try_advisory_xact_lock($1, $2) AS locked", lock);
  if (rows[0].locked) return true;
  const holders = await client.query(
    `SELECT a.application_name AS name, a.xact_start AS since FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid::bigint = $1 AND l.objid::bigint = $2 AND l.objsubid = 2
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    lock,
  );
  const [holder] = holders.rows;
  if (!holder) return false;
  // Null if this user may not see it.
  const since: Date | null = holder.since;
  const going = since ? `has been running since ${formatToSecond(since, currentSettings().brand)}` : "is still running";
  throw new Error(`Another ${holder.name}, ${going}. Try again when it has finished.`);
}
