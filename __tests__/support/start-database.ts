import { type RunDatabase, startRunDatabase } from "./start-run-database";

declare global {
  var databaseOfTheRun: RunDatabase | undefined;
}

/** Jest's globalSetup for the api tests: starts a real Postgres and passes its URLs to the workers by environment. */
export default async function start(): Promise<void> {
  const database = await startRunDatabase();
  globalThis.databaseOfTheRun = database;
  process.env.TEST_SERVER_URL = database.serverUrl;
  process.env.TEST_TEMPLATE_URL = database.templateUrl;
  process.env.TEST_APP_URL = database.appUrl;
  process.env.TEST_OPERATIONS_URL = database.operationsUrl;
  process.env.TEST_READER_URL = database.readerUrl;
}
