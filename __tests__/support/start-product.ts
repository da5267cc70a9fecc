import { withConnection } from "@/lib/server/db/connection";
import { type App, endEveryApp, freePort, startApp } from "./processes/app";
import { startDesk } from "./processes/desk";
import { size } from "./size";
import { inDatabase, type RunDatabase, startRunDatabase } from "./start-run-database";

async function copyTemplate({ serverUrl, templateUrl, appUrl, operationsUrl }: RunDatabase) {
  const template = new URL(templateUrl).pathname.slice(1);
  const copy = `${template}_journeys`;
  await withConnection(serverUrl, (client) => client.query(`CREATE DATABASE "${copy}" TEMPLATE "${template}"`));
  const [ownerUrl = "", ...urls] = [templateUrl, appUrl, operationsUrl].map((url) => inDatabase(url, copy));
  return { ownerUrl, appUrl: urls[0] ?? "", operationsUrl: urls[1] ?? "" };
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
  const own = { HOST: "", TRUSTED_PROXIES: "", SMTP_URL: "smtp://127.0.0.1:9", WORKER: "off" };
  const settings = { ...common, ...limits, ...own };
  const stop = async (product?: App) => {
    if (!product) endEveryApp();
    await product?.end("SIGTERM");
    await database.stop();
  };
  try {
    const product = await startApp({ database: appUrl, port, settings });
    const desk = await startDesk(appUrl, settings);
    process.env.DESK_URL = desk.url;
    return async () => {
      await desk.end("SIGTERM");
      await stop(product);
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
