import { get } from "node:http";
import { test } from "@playwright/test";
import { type App, startApp } from "./processes/app";

/** Uses node:http, because in Playwright's workers a fetch with AbortSignal.timeout has sometimes never ended. */
function isUp({ url }: Pick<App, "url">): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${url}/api/health`, (answer) => resolve(answer.resume().statusCode === 200));
    request.on("error", () => resolve(false));
    request.setTimeout(3000, () => request.destroy());
  });
}

/** Starts another process of the product on the journeys' database, with its own settings. Call this in `beforeAll`. */
export function startOwnApp(settings: Record<string, string>): Promise<App> {
  return startApp({
    database: process.env.DATABASE_URL ?? "",
    settings: { WORKER: "off", DATABASE_TIMEOUT_MS: "60000", ...settings },
    log: test.info().outputPath("app.log"),
    probe: isUp,
  });
}
