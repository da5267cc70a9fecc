import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { withoutNextMigration } from "@/__tests__/support/next-migration";
import { inDatabase, type RunDatabase } from "@/__tests__/support/start-run-database";
import { installClock } from "./clock";

/** Creates a database for the simulation: a copy of the migrated template, with the simulated clock. */
export async function simulationDatabase({ serverUrl, templateUrl, appUrl, operationsUrl }: RunDatabase) {
  const template = new URL(templateUrl);
  const name = `${template.pathname.slice(1)}_${randomBytes(4).toString("hex")}`;
  const urlOfCopy = (url: string) => inDatabase(url, name);
  await runOnce(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${template.pathname.slice(1)}"`);
  const owner = await connected(urlOfCopy(templateUrl));
  await installClock(owner);
  // The data need not survive a crash, and deadlocks should be resolved quickly.
  await owner.query(`ALTER DATABASE "${name}" SET synchronous_commit = off`);
  await owner.query(`ALTER DATABASE "${name}" SET deadlock_timeout = '50ms'`);
  // Thousands of connections are opened and nothing needs protection, so password hashing is cheap. PostgreSQL 15 lacks this.
  await owner.query("SET scram_iterations = 1").catch(() => {});
  for (const { username, password } of [templateUrl, appUrl, operationsUrl].map((url) => new URL(url)))
    if (password) await owner.query(`ALTER ROLE "${username}" PASSWORD '${password}'`);
  // A held operation stays in its transaction for as long as the other operations take.
  for (const { username } of [appUrl, operationsUrl].map((url) => new URL(url)))
    await owner.query(`ALTER ROLE "${username}" IN DATABASE "${name}" SET idle_in_transaction_session_timeout = 0`);
  // The product shortens this limit in some transactions. A slow machine would exceed it.
  await owner.query(`CREATE FUNCTION set_config(name text, value text, is_local boolean) RETURNS text LANGUAGE sql AS
    'SELECT pg_catalog.set_config(name, CASE name WHEN ''idle_in_transaction_session_timeout'' THEN ''0'' ELSE value END, is_local)'`);
  await owner.end();
  return {
    ownerUrl: urlOfCopy(templateUrl),
    appUrl: urlOfCopy(appUrl),
    operationsUrl: urlOfCopy(operationsUrl),
    drop: () => runOnce(serverUrl, `DROP DATABASE "${name}" WITH (FORCE)`),
  };
}

export type SimulationDatabase = Awaited<ReturnType<typeof simulationDatabase>>;

/** The application_name of the simulation's own connections, which a simulated restart does not end. */
export const observer = "simulation";

export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: observer });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = await connected(url);
  await client.query(statement).finally(() => client.end());
}

const tables = [
  ...["message_attempts", "messages", "events", "consent_records", "link_tokens", "links", "applications"],
  ...["evidence_log", "suppressions", "rate_limits", "data_reads", "fresh_link_requests", "clock_shifts"],
];

/** Empties the database, bypassing the triggers that keep evidence, and reverts the next version's migration. */
export async function empty(owner: Client): Promise<void> {
  await owner.query(`SET session_replication_role = replica;
    ${tables.map((table) => `DELETE FROM ${table}`).join(";")};
    SET session_replication_role = origin;
    ${withoutNextMigration};`);
}
