import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";

/**
 * The database of one test run, kept by a process of its own: it prints the URL of a migrated template, waits until its
 * input closes (however the run ended), and drops everything the run made.
 */
const prefix = `test_${randomBytes(4).toString("hex")}`;

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return use(client).finally(() => client.end());
}

async function migrate(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const name of readdirSync("prisma/migrations")
      .sort()
      .filter((one) => /^\d/.test(one))) {
      await client.query(readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8"));
    }
  });
}

async function dropAll(serverUrl: string): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const made = await client.query("SELECT datname FROM pg_database WHERE starts_with(datname, $1)", [prefix]);
    for (const { datname } of made.rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  });
}

async function main(): Promise<void> {
  const serverUrl = process.env.DATABASE_URL || "postgresql://postgres@127.0.0.1:5599/postgres";
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE "${prefix}"`));
  const url = new URL(serverUrl);
  url.pathname = `/${prefix}`;
  await migrate(url.href);
  console.log(url.href);
  process.stdin.resume().once("end", () => dropAll(serverUrl).finally(() => process.exit()));
}

main();
