import { Client } from "pg";
import { type App, endEveryApp, freePort, startApp } from "./processes/app";
import { size } from "./size";
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

/** Playwright's globalSetup: starts the production build on its own port and database. Returns the teardown. */
export default async function startProduct() {
  const database = await startRunDatabase();
  const { ownerUrl, appUrl, operationsUrl } = await copyTemplate(database);
  const port = await freePort();
  // These apply to the product and to the process that issues links.
  const common = { PORT: String(port), APP_URL: `http://localhost:${port}`, DATABASE_TIMEOUT_MS: "60000" };
  const urls = { DATABASE_URL: appUrl, OPERATIONS_DATABASE_URL: operationsUrl, TEST_OWNER_URL: ownerUrl };
  Object.assign(process.env, common, urls);
  // At full size, more wrong links are opened from one address than the limit allows.
  const limits = { RATE_LIMIT_FACTOR: String(size(1, 20)) };
  // Email is set up, so that the screens offer it, but without a worker none is sent.
  const settings = {
    ...common,
    ...limits,
    HOST: "",
    TRUSTED_PROXIES: "",
    SMTP_URL: "smtp://127.0.0.1:9",
    WORKER: "off",
  };
  const stop = async (product?: App) => {
    if (!product) endEveryApp();
    await product?.end("SIGTERM");
    await database.stop();
  };
  const product = await startApp({ database: appUrl, port, settings }).catch(async (error) => {
    await stop();
    throw error;
  });
  return () => stop(product);
}
