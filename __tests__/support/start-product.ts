import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "./processes/app";
import { type RunDatabase, startRunDatabase } from "./start-run-database";

interface Copy {
  ownerUrl: string;
  appUrl: string;
  operationsUrl: string;
}

async function copyTemplate({ serverUrl, templateUrl, appUrl, operationsUrl }: RunDatabase): Promise<Copy> {
  const copy = new URL(templateUrl);
  copy.pathname += "_journeys";
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(
    `CREATE DATABASE "${copy.pathname.slice(1)}" TEMPLATE "${new URL(templateUrl).pathname.slice(1)}"`,
  );
  await client.end();
  const as = (url: string) => Object.assign(new URL(url), { pathname: copy.pathname }).href;
  return { ownerUrl: copy.href, appUrl: as(appUrl), operationsUrl: as(operationsUrl) };
}

async function untilHealthy(url: string, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && !hasEnded()) {
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error("The product did not start for the journeys: see above.");
}

/** Playwright's globalSetup: starts the production build on its own port and database. Returns the teardown. */
export default async function startProduct() {
  const database = await startRunDatabase();
  const { ownerUrl, appUrl, operationsUrl } = await copyTemplate(database);
  const port = await freePort();
  process.env.DATABASE_URL = appUrl;
  process.env.OPERATIONS_DATABASE_URL = operationsUrl;
  process.env.TEST_OWNER_URL = ownerUrl;
  process.env.PORT = String(port);
  process.env.APP_URL = `http://localhost:${port}`;
  // This applies to the product and to the process that issues links.
  process.env.DATABASE_TIMEOUT_MS = "60000";
  const product = spawn(process.execPath, ["lib/server/server.mjs"], {
    stdio: ["ignore", "ignore", "inherit"],
    // Email is set up, so that the screens offer it, but without a worker none is sent.
    env: {
      ...process.env,
      SMTP_URL: "smtp://127.0.0.1:9",
      WORKER: "off",
      NODE_ENV: "production",
    },
  });
  const ended = once(product, "exit");
  const stop = async () => {
    product.kill("SIGTERM");
    await ended;
    await database.stop();
  };
  try {
    await untilHealthy(process.env.APP_URL, () => product.exitCode !== null);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
