import "server-only";
import { hostname } from "node:os";
import type { Client } from "pg";
import { secondIn } from "@/lib/domain/zone-time";
import { type Db, prisma } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { currentSettings } from "@/lib/server/settings";

// Raw throughout: advisory locks, on a connection of their own, and the catalogue that shows who holds one.

/** The first half of the numbers of these advisory locks; no other lock has it. */
const family = 721_453_096;
const wholeRun = 1;
const oneTransaction = 2;

/** Throws once the lock is lost, since somebody else may have it then. */
export type RequireLock = () => Promise<void>;

/**
 * Runs a command that issues the links of a list. One runs at a time: another one that is started meanwhile throws an error
 * that says who is running. The lock belongs to a transaction of its own that stays open, because a pooler may give the next
 * transaction another session. Postgres releases it when the process ends, however it ends.
 */
export function withListLock<T>(by: string, run: (requireLock: RequireLock) => Promise<T>): Promise<T> {
  return withConnection(process.env.DATABASE_URL ?? "", async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT set_config('application_name', $1, true)", [nameOf(by)]);
    // The transaction idles as long as the run takes. If this machine loses its network, the lock ends after a minute.
    await client.query(`
      SELECT set_config(name, '0', true) FROM pg_settings
      WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')`);
    await client.query(`
      SELECT set_config('tcp_keepalives_idle', '30', true), set_config('tcp_keepalives_interval', '10', true),
        set_config('tcp_keepalives_count', '3', true)`);
    while (!(await tryLock(client))) {
      const holder = await holderSeenBy(client);
      if (holder) throw new Error(sentenceOf(holder));
    }
    // A run that was killed may have left a transaction that Postgres is still committing: its links would look unknown.
    await prisma().$executeRaw`SELECT pg_advisory_xact_lock(${family}::int, ${oneTransaction}::int)`;
    return run(async () => {
      await client.query("SELECT");
    });
  });
}

/** Every transaction that issues links of a list, so that the next run waits for the last one of a killed run. */
export async function shareListLock(tx: Db): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(${family}::int, ${oneTransaction}::int)`;
}

/** What pg_stat_activity shows to others: Postgres keeps 63 bytes of it. */
function nameOf(by: string): string {
  return `list run by ${by.slice(0, 16) || "somebody"} on ${hostname().slice(0, 16)}, process ${process.pid}`;
}

interface Holder {
  name: string;
  /** Null where this user may not see it. */
  since: Date | null;
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_try_advisory_xact_lock($1, $2) AS locked", [family, wholeRun]);
  return rows[0].locked;
}

/** Undefined where it has just ended. */
async function holderSeenBy(client: Client): Promise<Holder | undefined> {
  const { rows } = await client.query(
    `SELECT a.application_name AS name, a.xact_start AS since FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid::bigint = $1 AND l.objid::bigint = $2 AND l.objsubid = 2
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [family, wholeRun],
  );
  return rows[0];
}

function sentenceOf({ name, since }: Holder): string {
  const going = since ? `has been going since ${secondIn(since, currentSettings().brand)}` : "is still going";
  return `Another ${name}, ${going}. Start this again once it has ended.`;
}
