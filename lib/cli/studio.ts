import { once } from "node:events";
import { parseArgs } from "node:util";
import type { Client } from "pg";
import { invitableAnswers, savedAnswers } from "@/lib/domain/application";
import { invitedColumn } from "@/lib/server/db/application-row";
import { excessPrivileges } from "@/lib/server/db/catalogue";
import { withConnection } from "@/lib/server/db/connection";
import { codeOf } from "@/lib/server/db/errors";
import { readerUrl } from "@/lib/server/db/roles";
import { command } from "./command";
import { requireFreePort } from "./processes";
import { type StudioSchema, serveStudio } from "./studio-server";
import { withDatabase } from "./with-database";

const usage = `Opens Prisma Studio on the app's database, with rights to read.

  npm run studio -- [--port 5555]`;

const firstView = "application_list";

/** What nobody reads in Studio: counts, Prisma's own list, and the tables that a view shows by reference. */
const hidden = ["rate_limits", "_prisma_migrations", "consent_records", "events", "links", "messages"];

/** The columns of applications that come first: each answer before what was invited. */
const firstColumns = [
  ...["reference", "status"],
  ...savedAnswers.flatMap((name) => {
    const invitable = invitableAnswers.find((one) => one === name);
    return invitable ? [name, invitedColumn(invitable)] : [name];
  }),
];

function givenPort(): number {
  // --browser is accepted as by Prisma's own command, and ignored: no browser is opened.
  const options = { port: { type: "string", default: "5555" }, browser: { type: "string" } } as const;
  const port = Number(parseArgs({ strict: true, options }).values.port);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error("--port must be a whole number from 1 to 65535.");
}

/**
 * Studio executes any SQL that its page sends, so the database user's own rights have to keep it read-only: in place of
 * operations it becomes the reader. The reader's password does not reveal the other one.
 */
async function readersUrl(given: string): Promise<string> {
  const url = readerUrl(given) ?? given;
  const excess = await withConnection(url, (client) => excessPrivileges(client, "reader")).catch((error) => {
    // SQLSTATE class 28: there is no reader, or an administrator gave it a password of its own.
    if (url === given || !codeOf(error)?.startsWith("28")) throw error;
    throw new Error(
      `${new URL(url).username} is not let in. Run 'npm run roles', or set OPERATIONS_DATABASE_URL to that user's for Studio.`,
    );
  });
  if (excess.length === 0) return url;
  throw new Error(
    `Studio does not run as a database user that may do more than read: this one ${excess.join(", ")}. Set OPERATIONS_DATABASE_URL to the one that 'npm run roles' makes.`,
  );
}

/**
 * What the reader may read, from Postgres's catalogue: columns in their order, and from each reference a way to the list.
 * Studio orders columns by their place in the key, distinguishes the rows of a view by it, and edits no computed column.
 */
async function readSchema(client: Client): Promise<StudioSchema> {
  const { rows } = await client.query(
    `SELECT current_schema() AS schema, relname AS name, json_agg(json_build_object(
       'name', attname, 'datatype', typname, 'datatype_schema', typnamespace::regnamespace, 'nullable', true,
       'options', (SELECT coalesce(json_agg(enumlabel), '[]') FROM pg_enum WHERE enumtypid = t.oid),
       'pk', place, 'computed', true, 'autoinc', false, 'default', NULL,
       'fk_schema', CASE WHEN is_link THEN current_schema() END, 'fk_table', CASE WHEN is_link THEN $1 END,
       'fk_column', CASE WHEN is_link THEN 'reference' END) ORDER BY place) AS columns
     FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
     JOIN pg_type t ON t.oid = atttypid,
     LATERAL (SELECT attname = 'reference' AND relname <> $1 AS is_link,
       coalesce(CASE relname WHEN 'applications' THEN array_position($2::text[], attname::text) END, 1000 + attnum) AS place) AS p
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v') AND relname <> ALL ($3::text[])
       AND has_table_privilege(c.oid, 'SELECT')
     GROUP BY relname ORDER BY relname <> $1, relname`,
    [firstView, firstColumns, hidden],
  );
  if (rows[0]?.name !== firstView)
    throw new Error("This database user may not read applications: 'npm run roles' makes one that may.");
  return { relations: rows, first: { schema: rows[0].schema, table: firstView } };
}

/** Prisma Studio on the app's database, as its reader: it reads all but token hashes and writes nothing. */
command(async () => {
  const port = givenPort();
  await requireFreePort(port, "choose another, as in npm run studio -- --port 5556.");
  await withDatabase(async (given) => {
    const url = await readersUrl(given);
    const { address, server } = await serveStudio(port, url, await withConnection(url, readSchema));
    console.log(`Prisma Studio, until Ctrl-C, for whoever has this address: ${address}`);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    server.close();
    server.closeAllConnections();
  });
}, usage);
