import { type RunDatabase, startRunDatabase } from "./start-run-database";

declare global {
  var databaseOfTheRun: RunDatabase | undefined;
}

/** Before the tests of the calls: a real Postgres, whose URLs the workers find in the environment. */
export default async function start(): Promise<void> {
  const database = await startRunDatabase();
  globalThis.databaseOfTheRun = database;
  process.env.TEST_SERVER_URL = database.serverUrl;
  process.env.TEST_TEMPLATE_URL = database.templateUrl;
}
