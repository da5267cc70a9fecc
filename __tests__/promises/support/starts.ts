import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/__tests__/support/processes/app";
import { runAs } from "@/lib/embedded-postgres/run-as";
import { selfSigned } from "./certificate";
import type { World } from "./world";

const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

/** Runs the command of `npm start` until it ends, with only these settings. */
export async function startRefused(settings: Record<string, string>, folder = process.cwd()) {
  const { PATH = "", HOME = "" } = process.env;
  const port = String(await freePort());
  const child = spawn("sh", ["-c", scripts.start ?? ""], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, HOME, HOST: "127.0.0.1", PORT: port, NODE_ENV: "production", ...settings },
  });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  clearTimeout(giveUp);
  return { code: code as number | null, errors, output: out + errors };
}

/** Copies the product to a folder other than that of its build, with or without its migrations. */
export function productCopy({ folder: newFolder }: World, { migrated }: { migrated: boolean }): string {
  const folder = newFolder();
  // If this process is root, the embedded Postgres runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const linked = ["app", "components", "lib", "node_modules", "package.json", "public", "next.config.mjs"];
  for (const name of [...linked, "tsconfig.json", "tsconfig.build.json"])
    symlinkSync(join(process.cwd(), name), join(folder, name));
  const isWanted = (path: string) => !/^\.next\/(cache|dev)/.test(path);
  cpSync(".next", join(folder, ".next"), { recursive: true, verbatimSymlinks: true, filter: isWanted });
  mkdirSync(join(folder, "prisma"));
  if (migrated) cpSync("prisma", join(folder, "prisma"), { recursive: true });
  return folder;
}

/** Makes the run's Postgres offer TLS. Returns the path of its self-signed certificate. */
export async function encrypt({ postgres, sql, after }: World): Promise<string> {
  const as = runAs(join(postgres.folder, "postgres"), []);
  const { key, cert } = selfSigned();
  const file = (name: string, content: string) => {
    const path = join(postgres.folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    as.give(path);
    return path;
  };
  const certificate = file("server.crt", cert);
  await sql(`ALTER SYSTEM SET ssl_key_file = '${file("server.key", key)}'`);
  await sql(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
  const offer = async (isOn: boolean) => {
    await sql(`ALTER SYSTEM SET ssl = ${isOn ? "on" : "off"}`);
    await sql("SELECT pg_reload_conf()");
    // The postmaster reloads its settings asynchronously.
    await sleep(500);
  };
  await offer(true);
  after(() => offer(false));
  return certificate;
}
