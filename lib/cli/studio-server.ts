import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { build } from "esbuild";
import { withConnection } from "@/lib/server/db/connection";

const statementTimeout = "5s";

/** What Studio shows. */
export interface StudioSchema {
  /** In the form of the answer to Studio's own query for the schema. */
  relations: { schema: string; name: string; columns: { name: string; [detail: string]: unknown }[] }[];
  /** Opens first. */
  first: { schema: string; table: string };
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
    ...{ bundle: true, minify: true, write: false, outdir: "studio", logLevel: "error" },
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
  if (procedure !== "query") throw new Error("Studio only reads.");
  return withConnection(databaseUrl, async (client) => {
    await client.query(`SET statement_timeout = '${statementTimeout}'`);
    // Of several statements, Postgres answers each.
    const results = [await client.query(query.sql, query.parameters)].flat();
    return [null, results.at(-1)?.rows ?? []];
  });
}
