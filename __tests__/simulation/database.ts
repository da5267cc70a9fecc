import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { withoutNextMigration } from "@/__tests__/support/next-migration";
import type { RunDatabase } from "@/__tests__/support/start-run-database";
import { installClock } from "./clock";

/** A database of the simulation, as a copy of a migrated template, with a clock of its own. */
export async function simulationDatabase({ serverUrl, templateUrl, appUrl, operationsUrl }: RunDatabase) {
  const template = new URL(templateUrl);
  const name = `${template.pathname.slice(1)}_${randomBytes(4).toString("hex")}`;
  const here = (url: string) => {
    const copied = new URL(url);
    copied.pathname = `/${name}`;
    return copied.href;
  };
  await alone(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${template.pathname.slice(1)}"`);
  const owner = await connected(here(templateUrl));
  await installClock(owner);
  // No crash of this machine has to be survived, and a deadlock is to end at once.
  await owner.query(`ALTER DATABASE "${name}" SET synchronous_commit = off`);
  await owner.query(`ALTER DATABASE "${name}" SET deadlock_timeout = '50ms'`);
  // Connections are opened by the thousand, and there is nothing to protect. PostgreSQL 15 does not know the setting.
  await owner.query("SET scram_iterations = 1").catch(() => {});
  for (const { username, password } of [templateUrl, appUrl, operationsUrl].map((url) => new URL(url)))
    if (password) await owner.query(`ALTER ROLE "${username}" PASSWORD '${password}'`);
  // Operations are held inside transactions for as long as the machine takes for the others.
  for (const { username } of [appUrl, operationsUrl].map((url) => new URL(url)))
    await owner.query(`ALTER ROLE "${username}" IN DATABASE "${name}" SET idle_in_transaction_session_timeout = 0`);
  await owner.end();
  return {
    ownerUrl: here(templateUrl),
    appUrl: here(appUrl),
    operationsUrl: here(operationsUrl),
    drop: () => alone(serverUrl, `DROP DATABASE "${name}" WITH (FORCE)`),
  };
}

export type SimulationDatabase = Awaited<ReturnType<typeof simulationDatabase>>;

/** The simulation's own connections, which no restart ends. */
export const observer = "simulation";

export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: observer });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function alone(url: string, statement: string): Promise<void> {
  const client = await connected(url);
  await client.query(statement).finally(() => client.end());
}

const tables = [
  ...["message_attempts", "messages", "events", "consent_records", "link_tokens", "links", "applications"],
  ...["evidence_log", "suppressions", "rate_limits", "clock_shifts"],
];

/** Empties it, past the triggers that keep evidence, and takes the next version's migration back. */
export async function empty(owner: Client): Promise<void> {
  await owner.query(`SET session_replication_role = replica;
    ${tables.map((table) => `DELETE FROM ${table}`).join(";")};
    SET session_replication_role = origin;
    ${withoutNextMigration};`);
}
