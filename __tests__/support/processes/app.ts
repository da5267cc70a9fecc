import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { until } from "@/__tests__/support/until";

/** A running process of the production build. */
export type App = Awaited<ReturnType<typeof startApp>>;

const running = new Set<ChildProcess>();
const startTimeoutMs = 30_000;

export interface Start {
  database: string;
  settings?: Record<string, string>;
  /** Default: a free port. */
  port?: number;
  /** The folder of another build: of another version of the product, or of an app without its server. */
  folder?: string;
  /** How to find out whether the app is up: a path, or a check that must succeed. Default: the health check. */
  probe?: string | ((app: { url: string }) => Promise<boolean>);
  /** The log file. Without one, `output` returns the log. */
  log?: string;
}

/** Starts the app and resolves once it is up. */
export async function startApp({ database, settings = {}, port, folder = ".", probe, ...files }: Start) {
  const own = port ?? (await freePort());
  const log = files.log ? openSync(files.log, "a") : undefined;
  const server = "lib/server/process/server.mjs";
  const next = [join(process.cwd(), "node_modules/next/dist/bin/next"), "start", "-H", "127.0.0.1", "-p", String(own)];
  const child = spawn(process.execPath, existsSync(join(folder, server)) ? [server] : next, {
    cwd: folder,
    stdio: ["ignore", log ?? "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      // This process may have set a longer time-out for itself; the app gets its default.
      DATABASE_TIMEOUT_MS: "",
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      DATABASE_URL: database,
      PORT: String(own),
      // Trusts X-Forwarded-For, so that each promise has its own address and no shared rate limit.
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
  const app = {
    url: `http://127.0.0.1:${own}`,
    port: own,
    pid: child.pid ?? 0,
    /** Everything that it has printed to stdout and stderr. */
    output: () => output,
    /** Sends the signal, and resolves with the exit code. */
    end(signal: NodeJS.Signals) {
      child.kill(signal);
      return exited;
    },
    memoryInMegabytes: () =>
      Number(execFileSync("ps", ["-o", "rss=", "-p", String(child.pid)], { encoding: "utf8" })) / 1024,
  };
  const isUp = typeof probe === "function" ? probe : () => isHealthy(app, probe);
  const isUpOrEnded = async () => code !== undefined || isUp(app);
  await until(isUpOrEnded, startTimeoutMs, () => `the app did not answer: ${output.slice(-500)}`, 25);
  if (code !== undefined) throw new Error(`The app ended with ${code}: ${output.slice(-500)}`);
  return app;
}

export async function isHealthy({ url }: { url: string }, path = "/api/health"): Promise<boolean> {
  try {
    const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(3000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Resolves with the milliseconds until the health check answers 200. */
export const untilHealthy = (app: { url: string }) =>
  until(() => isHealthy(app), 20_000, "the health check did not answer 200", 20);

export function endEveryApp(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** A port that nothing uses. It is below the ports that the system gives to other servers and connections meanwhile. */
export async function freePort(): Promise<number> {
  const port = randomInt(15_000, 30_000);
  const probe = createServer().listen(port, "127.0.0.1");
  const isFree = await once(probe, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  probe.close();
  await once(probe, "close");
  return port;
}
