import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { invited } from "@/__tests__/support/invited";
import { type App, endEveryApp, startApp } from "@/__tests__/support/processes/app";
import { startBrowser } from "@/__tests__/support/processes/browser";
import { type Postgres, startPostgres } from "@/__tests__/support/processes/postgres";
import { buildEmptyApp, type EmptyApp } from "./empty-app";
import { type StaticPage, startStaticPage } from "./static-page";

/** All load comes from one address, so limits are counted but set too high to trigger. */
const unlimited = { RATE_LIMIT_FACTOR: "100000" };

/** The running product and the floors it is compared with. */
export interface World {
  postgres: Postgres;
  database: string;
  app: App;
  /** The running empty app, and its build for a second start. */
  empty: App;
  emptyApp: EmptyApp;
  /** The empty app with the compile line and Brotli. */
  finished: App;
  page: StaticPage;
  browser: Browser;
  /** A link to an application of its own. */
  newLink(): Promise<string>;
  startOn(database: string, settings?: Record<string, string>): Promise<App>;
  end(): Promise<void>;
}

export async function createWorld(): Promise<World> {
  const emptyApp = buildEmptyApp();
  const finishedApp = buildEmptyApp({ finished: true });
  const postgres = await startPostgres();
  const database = await postgres.createDatabase("bench");
  // `invited` writes to the database of this process's DATABASE_URL.
  process.env.DATABASE_URL = database;
  process.env.DATABASE_TIMEOUT_MS = "20000";
  // Logs go to a file, as for a service: reading them from a pipe would cost this process time.
  const log = join(postgres.folder, "app.log");
  const startOn = (on: string, settings = {}) =>
    startApp({ database: on, settings: { ...unlimited, ...settings }, log });
  const [app, empty, finished, browser] = await Promise.all([
    startOn(database),
    emptyApp.start(),
    finishedApp.start(),
    startBrowser(),
  ]);
  const newLink = async () => `${app.url}/?token=${(await invited()).token}&source=ba`;
  const page = await startStaticPage(app, await newLink());
  const end = async () => {
    page.end();
    endEveryApp();
    await browser.close();
    await postgres.remove();
    emptyApp.remove();
    finishedApp.remove();
  };
  // An interrupt and the finally block may both call end().
  let ending: Promise<void> | undefined;
  return {
    postgres,
    database,
    app,
    empty,
    emptyApp,
    finished,
    page,
    browser,
    newLink,
    startOn,
    end() {
      ending ??= end();
      return ending;
    },
  };
}
