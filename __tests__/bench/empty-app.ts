import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type App, startApp } from "@/__tests__/support/processes/app";

/** The floor for pages and calls: a production build of an empty app, with the same Next and React. */
export interface EmptyApp {
  start(): Promise<App>;
  remove(): void;
}

const next = "node_modules/next/dist/bin/next";

/** `finished`: with the compile line and Brotli, as the product's own build finishes and sends its files. */
export function buildEmptyApp({ finished = false } = {}): EmptyApp {
  // Outside the project, where Next does not find the product's proxy.ts and instrumentation.ts.
  const folder = mkdtempSync(join(tmpdir(), "empty-next-"));
  cpSync("__tests__/bench/empty-next", folder, { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const { status, stderr } = spawnSync(process.execPath, [next, "build", folder], {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    env: {
      ...process.env,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      FINISHED_BY: finished ? resolve("lib/server/files") : "",
    },
  });
  if (status !== 0) throw new Error(`The empty app could not be built: ${stderr}`);
  return {
    start: () => startApp({ database: "", folder, probe: "/api/empty" }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
