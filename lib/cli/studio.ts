import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Client } from "pg";
import { excessPrivileges } from "@/lib/server/db/catalogue";
import { withConnection } from "@/lib/server/db/connection";
import { studioUrl } from "@/lib/server/db/database-url";
import { codeOf } from "@/lib/server/db/errors";
import { readerUrl } from "@/lib/server/db/roles";
import { command } from "./command";
import { guardedProxy } from "./guarded-proxy";
import { requireFreePort } from "./require-free-port";
import { type Child, runChild } from "./run-child";
import { firstView, forReading, type Readable } from "./studio-page";
import { withDatabase } from "./with-database";

const usage = `Opens Prisma Studio on the app's database, with rights to read.

  npm run studio -- [--port 5555]`;

function wishedPort(): number {
  // --browser is accepted as by Prisma's own command, and ignored: no browser is opened.
  const options = { port: { type: "string", default: "5555" }, browser: { type: "string" } } as const;
  const port = Number(parseArgs({ strict: true, options }).values.port);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error("--port must be a whole number from 1 to 65535.");
}

/**
 * Studio executes any SQL that its page sends, so the database user's own rights have to keep it read-only: where those given
 * are operations', it gets the reader's, from which nobody comes to theirs.
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

async function untilUp(studio: Child, socket: string): Promise<void> {
  while (!existsSync(socket)) {
    if (studio.hasEnded()) throw new Error("Prisma Studio did not start.");
    await sleep(50);
  }
}

/** Prisma Studio on the app's database, as its reader: it reads all but token hashes and writes nothing. */
command(async () => {
  const port = wishedPort();
  await requireFreePort(port, "choose another, as in npm run studio -- --port 5556.");
  await withDatabase(async (given) => {
    const url = await readersUrl(given);
    // mkdtemp creates it with mode 0700: other users of the machine cannot reach the socket.
    const folder = mkdtempSync(join(tmpdir(), "studio-"));
    try {
      await serve(url, port, join(folder, "socket"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}, usage);

async function serve(url: string, port: number, socket: string): Promise<void> {
  const onSocket = ["--require", "tsx/cjs", "--require", "./lib/cli/studio-on-socket.ts"];
  const prisma = ["node_modules/prisma/build/index.js", "studio", "--port", String(port), "--browser", "none"];
  const { url: DATABASE_URL, authority: NODE_EXTRA_CA_CERTS } = studioUrl(url);
  const env = {
    DATABASE_URL,
    NODE_EXTRA_CA_CERTS,
    STUDIO_SOCKET: socket,
    CHECKPOINT_DISABLE: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
  };
  const { schema, readable } = await withConnection(url, readableIn);
  const studio = runChild([...onSocket, ...prisma], { env, output: "ignore" });
  await untilUp(studio, socket);
  const proxy = await guardedProxy(port, {
    socket,
    start: new URLSearchParams({ schema, table: firstView }).toString(),
    paths: ["/studio.js", "/bff"],
    change: (path, text) => forReading(path, text, readable),
  });
  console.log(`Prisma Studio, until Ctrl-C, for whoever has this address: ${proxy.address}`);
  await studio.ended;
  proxy.close();
}

async function readableIn(client: Client): Promise<{ schema: string; readable: Readable }> {
  const { rows } = await client.query(`
    SELECT current_schema() AS schema, json_object_agg(name, columns) AS readable FROM (
      SELECT relname AS name, json_agg(attname ORDER BY attnum) AS columns
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v')
        AND has_table_privilege(pg_class.oid, 'SELECT')
      GROUP BY relname) AS relations`);
  const [{ schema, readable }] = rows;
  if (firstView in (readable ?? {})) return { schema, readable };
  throw new Error("This database user may not read applications: 'npm run roles' makes one that may.");
}
