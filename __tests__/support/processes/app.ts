import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A process of the production build. */
export interface App {
  url: string;
  port: number;
  pid: number;
  /** Everything it has printed. */
  output(): string;
  /** Resolves with its exit code once it has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  memoryInMegabytes(): number;
}

const running = new Set<ChildProcess>();
const patience = 30_000;

export interface Start {
  database: string;
  settings?: Record<string, string>;
  /** A free one where it is not given. */
  port?: number;
  /** Another build than the product's, and a path that it answers once it is up. */
  folder?: string;
  probe?: string;
  /** A file for its log; without one, `output` tells it. */
  log?: string;
}

/** Starts the app, and resolves once it says that it is healthy. */
export async function startApp({
  database,
  settings = {},
  port,
  folder = ".",
  probe,
  log: logFile,
}: Start): Promise<App> {
  const own = port ?? (await freePort());
  const next = createRequire(join(process.cwd(), "package.json")).resolve("next/dist/bin/next");
  const log = logFile ? openSync(logFile, "a") : undefined;
  const child = spawn(process.execPath, [next, "start", folder, "-H", "127.0.0.1", "-p", String(own)], {
    stdio: ["ignore", log ?? "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      // This process is more patient with Postgres than the app may be.
      DATABASE_TIMEOUT_MS: "",
      NODE_ENV: "production",
      DATABASE_URL: database,
      PORT: String(own),
      // Each promise comes from an address of its own, so that none is refused for the guesses of another.
      TRUSTED_PROXIES: "1",
      ...settings,
    },
  });
  if (log !== undefined) closeSync(log);
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  let code: number | null | undefined;
  const exited = once(child, "exit").then(([exitCode]) => {
    running.delete(child);
    code = exitCode;
    return exitCode as number | null;
  });
  const app: App = {
    url: `http://127.0.0.1:${own}`,
    port: own,
    pid: child.pid ?? 0,
    output: () => output,
    end(signal) {
      child.kill(signal);
      return exited;
    },
    memoryInMegabytes: () =>
      Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)], { encoding: "utf8" })) / 1024,
  };
  const begun = Date.now();
  while (!(await isHealthy(app, probe))) {
    if (code !== undefined) throw new Error(`The app ended with ${code}: ${output.slice(-500)}`);
    if (Date.now() - begun > patience) throw new Error(`The app does not answer: ${output.slice(-500)}`);
    await sleep(25);
  }
  return app;
}

export async function isHealthy({ url }: Pick<App, "url">, path = "/api/health"): Promise<boolean> {
  try {
    const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(3000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Milliseconds until the app says that it is healthy. */
export async function untilHealthy(app: Pick<App, "url">, most = 20_000): Promise<number> {
  const begun = performance.now();
  while (!(await isHealthy(app))) {
    if (performance.now() - begun > most) throw new Error(`Not healthy again after ${most} ms`);
    await sleep(20);
  }
  return Math.round(performance.now() - begun);
}

export function endEveryApp(): void {
  for (const child of running) child.kill("SIGKILL");
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, "127.0.0.1"), "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
