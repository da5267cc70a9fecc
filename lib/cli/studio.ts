import { once } from "node:events";
import { parseArgs } from "node:util";
import { recordRead } from "@/lib/server/applications/personal-data";
import { excessPrivileges } from "@/lib/server/db/catalogue";
import { withConnection } from "@/lib/server/db/connection";
import { codeOf } from "@/lib/server/db/errors";
import { readerUrl } from "@/lib/server/db/roles";
import { command } from "./command";
import { actorName, byOption } from "./options";
import { requireFreePort } from "./processes";
import { readSchema, serveStudio } from "./studio-server";
import { withDatabase } from "./with-database";

const usage = `Opens Prisma Studio on the app's database, with rights to read.

  npm run studio -- [--port 5555] [--by NAME]    opening it is recorded`;

function call(args: string[]) {
  // --browser is accepted as by Prisma's own command, and ignored: no browser is opened.
  const options = { ...byOption, port: { type: "string", default: "5555" }, browser: { type: "string" } } as const;
  const { values } = parseArgs({ args, strict: true, options });
  const port = Number(values.port);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return { port, by: actorName(values.by) };
  throw new Error("--port must be a whole number from 1 to 65535.");
}

/**
 * Studio executes any SQL that its page sends, so the database user's own rights have to keep it read-only: in place of
 * operations it becomes the reader. The reader's password does not reveal the other one.
 */
async function readersUrl(given: string): Promise<string> {
  const url = readerUrl(given) ?? given;
  const reasons = await withConnection(url, (client) => excessPrivileges(client, "reader")).catch((error) => {
    // SQLSTATE class 28: there is no reader, or an administrator gave it a password of its own.
    if (url === given || !codeOf(error)?.startsWith("28")) throw error;
    throw new Error(
      `${new URL(url).username} is not let in. Run 'npm run roles', or set OPERATIONS_DATABASE_URL to that user's for Studio.`,
    );
  });
  if (reasons.length === 0) return url;
  throw new Error(
    `Studio does not run as a database user that may do more than read: this one ${reasons.join(", ")}. Set OPERATIONS_DATABASE_URL to the one that 'npm run roles' makes.`,
  );
}

/** Prisma Studio on the app's database, as its reader: it reads all but token hashes and writes nothing. */
export default command(module, usage, async (args) => {
  const { port, by } = call(args);
  await requireFreePort(port, "choose another, as in npm run studio -- --port 5556.");
  await withDatabase(async (given) => {
    const url = await readersUrl(given);
    await recordRead({ by, command: "studio" });
    const { address, server } = await serveStudio(port, url, await withConnection(url, readSchema));
    console.log(`Prisma Studio, until Ctrl-C, for whoever has this address: ${address}`);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    server.close();
    server.closeAllConnections();
  });
});
