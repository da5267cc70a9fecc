import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { extname } from "node:path";
import { json } from "node:stream/consumers";
import { build } from "esbuild";
import { type Client, types } from "pg";
import { type InvitableAnswer, savedAnswers } from "@/lib/domain/application";
import { invitedColumn } from "@/lib/server/db/application-row";
import { withConnection } from "@/lib/server/db/connection";
import { isSameSecret } from "@/lib/server/links/token";
import { currentSettings } from "@/lib/server/settings";

const firstView = "application_list";

/**
 * The types that Studio shows as Postgres writes them: dates, times and, as 1231, numeric[]. As JavaScript's values, a date could
 * become the day before, and amounts would lose their decimals.
 */
const asWritten = [types.builtins.DATE, types.builtins.TIMESTAMPTZ, 1231];

/** Hidden in Studio: rate limit counts, Prisma's migration list, and the tables that a view shows by reference. */
const hidden = ["rate_limits", "_prisma_migrations", "consent_records", "events", "links", "messages"];

/** The first columns of applications: each answer, followed by the invitation's value, if there is such a column. */
const firstColumns = [
  ...["reference", "status"],
  ...savedAnswers.flatMap((name) => [name, invitedColumn(name as InvitableAnswer)]),
];

/**
 * Reads from Postgres's catalogue what the reader may read, except generated columns, which repeat others. Each reference
 * becomes a foreign key to the application list. All columns are declared as computed parts of the primary key: Studio orders
 * columns by their position in the key, identifies the rows of a view by the key, and does not edit computed columns.
 */
async function readSchema(client: Client): Promise<{ schema: string; name: string }[]> {
  // Raw: this reads Postgres's catalogue.
  const { rows } = await client.query(
    `SELECT current_schema() AS schema, relname AS name, json_agg(json_build_object(
       'name', attname, 'datatype', typname, 'datatype_schema', typnamespace::regnamespace, 'nullable', true,
       'options', (SELECT coalesce(json_agg(enumlabel), '[]') FROM pg_enum WHERE enumtypid = t.oid),
       'pk', place, 'computed', true, 'autoinc', false, 'default', NULL,
       'fk_schema', CASE WHEN is_link THEN current_schema() END, 'fk_table', CASE WHEN is_link THEN $1 END,
       'fk_column', CASE WHEN is_link THEN 'reference' END) ORDER BY place) AS columns
     FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     JOIN pg_type t ON t.oid = atttypid,
     LATERAL (SELECT attname = 'reference' AND relname <> $1 AS is_link,
       coalesce(CASE relname WHEN 'applications' THEN array_position($2::text[], attname::text) END, 1000 + attnum) AS place) AS p
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v') AND relname <> ALL ($3::text[])
       AND has_table_privilege(c.oid, 'SELECT')
     GROUP BY relname ORDER BY relname <> $1, relname`,
    [firstView, firstColumns, hidden],
  );
  if (rows[0]?.name !== firstView)
    throw new Error("This database user may not read applications: 'npm run roles' creates one that may.");
  return rows;
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Prisma Studio</title>
<link rel="stylesheet" href="/studio.css"><style>
  body { margin: 0 }
  #root { height: 100vh }
  /* Every column is part of the key, computed and initially sorted, so these icons carry no information. */
  th :is(.lucide-key-round.text-amber-500, .lucide-calculator),
  tr:not(:has([aria-label="Sort ascending"])) th:not(:hover) [data-testid="column-header-controls"] { display: none }
</style>
<div id="root"></div><script src="/studio.js"></script></html>`;

/** Bundles studio-page.ts and the styles that it imports. Returns their text by path. */
async function buildPage(): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: { studio: "lib/cli/studio-page.ts" },
    bundle: true,
    minify: true,
    write: false,
    outdir: "/",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [path, text]));
}

const contentTypes: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

/**
 * Serves Prisma Studio to anybody who has the secret of this start, first in the address and then in a cookie. Requests from
 * other sites, including DNS rebinding, get 403. The Content-Security-Policy blocks the page's usage reports to Prisma.
 */
export async function serveStudio(port: number, databaseUrl: string): Promise<{ address: string; server: Server }> {
  const relations = await withConnection(databaseUrl, readSchema);
  for (const type of asWritten) types.setTypeParser(type, String);
  // Not localhost, which browsers also resolve to ::1. Another user of the machine may use this port there.
  const host = `127.0.0.1:${port}`;
  const secret = randomBytes(32).toString("base64url");
  // Cookies do not distinguish ports, so two Studios at once need two cookie names.
  const cookie = `studio-${port}=${secret}`;
  const files: Record<string, string> = {
    "/": page,
    "/schema.json": JSON.stringify(relations),
    ...(await buildPage()),
  };
  const server = createServer(async (request, response) => {
    // A request target may also be '*' or a whole URL (RFC 9112, section 3.2). An error here would end the process.
    if (!request.url?.startsWith("/")) return response.writeHead(400).end();
    const { pathname, searchParams } = new URL(`http://${host}${request.url}`);
    const isOwnPage = request.headers.host === host && [undefined, `http://${host}`].includes(request.headers.origin);
    if (isOwnPage && isSameSecret(searchParams.get("secret") ?? "", secret))
      return response
        .writeHead(303, {
          location: `/#${new URLSearchParams({ schema: relations[0]?.schema ?? "", table: firstView })}`,
          "set-cookie": `${cookie}; Path=/; HttpOnly; SameSite=Strict`,
          "referrer-policy": "no-referrer",
          // The page stores the SQL that somebody typed, which may name people.
          "clear-site-data": '"storage"',
        })
        .end();
    if (!isOwnPage || !request.headers.cookie?.split("; ").some((pair) => isSameSecret(pair, cookie)))
      return response.writeHead(403).end("Open the address that npm run studio printed when it started.");
    response.setHeader("content-security-policy", "connect-src 'self'");
    const type = contentTypes[extname(pathname)] ?? "text/html";
    if (pathname in files) return response.setHeader("content-type", `${type}; charset=utf-8`).end(files[pathname]);
    if (pathname !== "/bff") return response.writeHead(404).end();
    const result = await runQuery(request, databaseUrl).catch(({ name, message, code }) => [{ name, message, code }]);
    response.setHeader("content-type", "application/json").end(JSON.stringify(result));
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return { address: `http://${host}/?secret=${secret}`, server };
}

/** Runs the SQL of Studio's page on a new connection, so that no statement changes the session of the next one. */
async function runQuery(request: IncomingMessage, databaseUrl: string): Promise<[null, unknown[]]> {
  const { procedure, query } = (await json(request)) as { procedure: string; query: { sql: string; parameters: [] } };
  if (procedure !== "query") throw new Error("Studio is read-only.");
  return withConnection(databaseUrl, async (client) => {
    // Raw: this sets parameters of the session.
    await client.query("SELECT set_config('statement_timeout', '5s', false), set_config('TimeZone', $1, false)", [
      currentSettings().brand.timeZone,
    ]);
    // Raw: Studio's page writes this SQL. Several statements return several results.
    const results = [await client.query(query.sql, query.parameters)].flat();
    return [null, results.at(-1)?.rows ?? []];
  });
}
