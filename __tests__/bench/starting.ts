import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { invited } from "@/__tests__/support/invited";
import { type App, freePort, startApp } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import type { EmptyApp } from "./empty-app";
import { rounds } from "./rounds";
import { bounded, compared, type Row } from "./table";
import type { World } from "./world";

const times = 9;

async function untilVerified(database: string, token: string): Promise<number> {
  const begun = performance.now();
  // Asked for nothing else, as the empty app is: another path would be a route more to load.
  const isVerified = (app: Pick<App, "url">) =>
    call(app, "verify-token", { token }).then(
      ({ status }) => status === 200,
      () => false,
    );
  const app = await startApp({ database, probe: isVerified });
  const taken = performance.now() - begun;
  await app.end("SIGKILL");
  return taken;
}

async function untilAnswered(emptyApp: EmptyApp): Promise<number> {
  const begun = performance.now();
  const app = await emptyApp.start();
  const taken = performance.now() - begun;
  await app.end("SIGKILL");
  return taken;
}

/** A temporary copy of every file that git does not ignore. */
function freshCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), "fresh-"));
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { encoding: "utf8" });
  for (const file of stdout.split("\0").filter(Boolean)) cpSync(file, join(folder, file), { recursive: true });
  return folder;
}

/** Milliseconds of `npm ci && npm run demo` until the third link is printed. */
async function demo(): Promise<number> {
  const folder = freshCopy();
  const env = { ...process.env, DATABASE_URL: "", PORT: String(await freePort()) };
  const begun = performance.now();
  const child = spawn(
    "sh",
    ["-c", "unset NODE_ENV; npm ci --prefer-offline --no-audit --no-fund > /dev/null 2>&1 && exec npm run demo"],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
      env,
    },
  );
  const ended = once(child, "exit");
  let links = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (/https?:\/\/\S+\?token=/.test(line)) links += 1;
    if (links === 3) break;
  }
  const taken = performance.now() - begun;
  if (child.pid) process.kill(-child.pid, "SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  if (links < 3) throw new Error("The demo printed no three links.");
  return taken;
}

export async function starting({ database, emptyApp }: World): Promise<Row[]> {
  const { token } = await invited();
  const taken = await rounds(times, {
    ours: () => untilVerified(database, token),
    empty: () => untilAnswered(emptyApp),
  });
  return [
    compared({
      what: "cold start to the first verified answer",
      floor: "empty Next app's first answer",
      most: 1.15,
      unit: "ms",
      ours: taken.ours,
      floors: taken.empty,
    }),
    bounded({
      what: "`npm ci && npm run demo` to three printed links, packages cached",
      most: 45,
      unit: "s",
      ours: [(await demo()) / 1000],
    }),
  ];
}
