import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { build } from "esbuild";
import type { Client } from "pg";
import { invitableAnswers, savedAnswers } from "@/lib/domain/application";
import { invitedColumn } from "@/lib/server/db/application-row";
import { withConnection } from "@/lib/server/db/connection";

const statementTimeout = "5s";

/** What Studio shows. */
export interface StudioSchema {
  /** In the form of the answer to Studio's own query for the schema. */
  relations: { schema: string; name: string; columns: { name: string; [detail: string]: unknown }[] }[];
  /** Opens first. */
  first: { schema: string; table: string };
}

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

/**
 * What the reader may read, from Postgres's catalogue: columns in their order, and from each reference a way to the list.
 * Studio orders columns by their place in the key, distinguishes the rows of a view by it, and edits no computed column.
 */
export async function readSchema(client: Client): Promise<StudioSchema> {
  // Raw: the catalogue.
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

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Prisma Studio</title>
<link rel="stylesheet" href="/studio.css"><style>
  body { margin: 0 }
  #root { height: 100vh }
  /* Every column is part of the key, computed, and sorted at first: none of that is news. */
  th :is(.lucide-key-round.text-amber-500, .lucide-calculator),
  tr:not(:has([aria-label="Sort ascending"])) th:not(:hover) [data-testid="column-header-controls"] { display: none }
</style>
<div id="root"></div><script src="/studio.js"></script></html>`;

/** Prisma's component for browsers with our adapter. */
async function buildPage(): Promise<{ script: string; styles: string }> {
  const { outputFiles } = await build({
    entryPoints: ["lib/cli/studio-page.ts", "@prisma/studio-core/ui/index.css"],
    bundle: true,
    minify: true,
    write: false,
    outdir: "studio",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const built = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? "";
  return { script: built(".js"), styles: built(".css") };
}

/**
 * Serves Prisma Studio to whoever has this start's secret, first in the address, then in a cookie. Requests of other sites,
 * also by DNS rebinding, get 403. The Content-Security-Policy blocks the usage reports that Studio's page sends to Prisma.
 */
export async function serveStudio(
  port: number,
  databaseUrl: string,
  { relations, first }: StudioSchema,
): Promise<{ address: string; server: Server }> {
  // Not localhost, which browsers also look for at ::1: another user of the machine may hold this port there.
  const host = `127.0.0.1:${port}`;
  const secret = randomBytes(32).toString("base64url");
  // Cookies ignore ports, so two Studios at once need two names.
  const cookie = `studio-${port}`;
  const { script, styles } = await buildPage();
  const files: Record<string, [type: string, body: string]> = {
    "/": ["text/html", page],
    "/studio.js": ["text/javascript", script],
    "/studio.css": ["text/css", styles],
    "/schema.json": ["application/json", JSON.stringify(relations)],
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(`http://${host}${request.url}`);
    const isOwnPage = request.headers.host === host && [undefined, `http://${host}`].includes(request.headers.origin);
    if (isOwnPage && isSame(searchParams.get("secret"), secret))
      return response
        .writeHead(303, {
          location: `/#${new URLSearchParams(first)}`,
          "set-cookie": `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
          "referrer-policy": "no-referrer",
        })
        .end();
    if (!isOwnPage || !isSame(cookieValue(cookie, request.headers.cookie), secret))
      return response.writeHead(403).end();
    response.setHeader("content-security-policy", "connect-src 'self'");
    const file = files[pathname];
    if (file) return response.setHeader("content-type", `${file[0]}; charset=utf-8`).end(file[1]);
    if (pathname !== "/bff") return response.writeHead(404).end();
    const answer = await runQuery(request, databaseUrl).catch(({ name, message, code }) => [{ name, message, code }]);
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return { address: `http://${host}/?secret=${secret}`, server };
}

function cookieValue(name: string, cookies = ""): string | undefined {
  const pair = cookies.split(/; */).find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

function isSame(given: string | null | undefined, secret: string): boolean {
  const [one, other] = [Buffer.from(given ?? ""), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Runs the SQL of Studio's page on a connection of its own, so that no statement changes the session of the next. */
async function runQuery(request: IncomingMessage, databaseUrl: string): Promise<[null, unknown[]]> {
  const { procedure, query } = (await json(request)) as { procedure: string; query: { sql: string; parameters: [] } };
  if (procedure !== "query") throw new Error("Studio is read-only.");
  return withConnection(databaseUrl, async (client) => {
    // Raw: a setting of the session.
    await client.query(`SET statement_timeout = '${statementTimeout}'`);
    // Raw: SQL that Studio's page has written. Of several statements, Postgres answers each.
    const results = [await client.query(query.sql, query.parameters)].flat();
    return [null, results.at(-1)?.rows ?? []];
  });
}
