import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { operationsUrl } from "@/lib/server/database/operations-url";
import { command } from "./command";
import { freePort } from "./free-port";
import { guardedProxy } from "./guarded-proxy";
import { type Child, runChild } from "./run-child";
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

async function untilUp(studio: Child, port: number): Promise<void> {
  while (!studio.hasEnded()) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error("Prisma Studio did not start.");
}

/** Prisma Studio on the app's database, as the role of operations: it reads all but token hashes and writes nothing. */
command(async () => {
  const port = await freePort(wishedPort(), "choose another, as in npm run studio -- --port 5556.");
  await withDatabase(async (database) => {
    const url = await operationsUrl(database);
    const behind = await freePort(0, "");
    const prisma = ["node_modules/prisma/build/index.js", "studio", "--port", String(behind), "--browser", "none"];
    const env = { DATABASE_URL: url, CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" };
    const studio = runChild(prisma, { env, output: "ignore" });
    await untilUp(studio, behind);
    const close = await guardedProxy(port, behind);
    console.log(`Prisma Studio is at http://localhost:${port}. Ctrl-C ends it.`);
    await studio.ended;
    close();
  });
}, usage);
