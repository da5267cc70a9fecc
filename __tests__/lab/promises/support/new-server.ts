import { existsSync } from "node:fs";
import { join } from "node:path";
import { postgresPrograms, type Server, startServer } from "@/__tests__/support/processes/servers";
import { closeDatabase } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { Broken } from "./expect";

/** Returns a Postgres program with this tool beside it, such as Debian's. The embedded Postgres has no tools. */
export function programWith(tool: "pg_dump" | "pg_basebackup"): string {
  const program = postgresPrograms().find((path) => existsSync(join(path, "..", tool)));
  if (!program) throw new Broken(`${tool} is missing: apt-get install postgresql`);
  return program;
}

/** Starts a server with an empty database, whose owner may create roles. */
export async function newServer(program: string): Promise<Server & { owner: string }> {
  const server = await startServer(program);
  const admin = (sql: string) => withConnection(server.urlOf("postgres"), (client) => client.query(sql));
  await admin("CREATE ROLE lender_owner LOGIN CREATEROLE");
  await admin("CREATE DATABASE lender OWNER lender_owner");
  return { ...server, owner: server.urlOf("lender", "lender_owner") };
}

/** The URLs by user ('app', 'operations') that `npm run roles` has printed. */
export function urlsIn(output: string): Record<string, string> {
  const urls = output.matchAll(/^ {2}(?:OPERATIONS_)?DATABASE_URL=(\S+_(app|operations)\S*)$/gm);
  return Object.fromEntries([...urls].map(([, url = "", kind]) => [kind, url]));
}

/** Points `invited`, and commands run in this process, at another database while `use` runs. */
export async function on<T>(url: string, use: () => Promise<T>): Promise<T> {
  const previousUrl = process.env.DATABASE_URL;
  await closeDatabase();
  process.env.DATABASE_URL = url;
  return use().finally(async () => {
    await closeDatabase();
    process.env.DATABASE_URL = previousUrl;
  });
}
