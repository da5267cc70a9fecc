import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runAs } from "@/lib/embedded-postgres/run-as";
import { selfSigned } from "./certificate";
import type { World } from "./world";

/** Has the Postgres of the run offer TLS with a self-signed certificate, whose file is `trusted`. */
export async function encrypt({ postgres, sql }: World): Promise<{ trusted: string; end(): Promise<void> }> {
  const { key, cert } = selfSigned();
  const as = runAs(join(postgres.folder, "postgres"), []);
  const files = {
    ssl_key_file: join(postgres.folder, "server.key"),
    ssl_cert_file: join(postgres.folder, "server.crt"),
  };
  writeFileSync(files.ssl_key_file, key);
  writeFileSync(files.ssl_cert_file, cert);
  chmodSync(files.ssl_key_file, 0o600);
  for (const [setting, path] of Object.entries(files)) {
    as.give(path);
    await sql(`ALTER SYSTEM SET ${setting} = '${path}'`);
  }
  const offer = async (isOn: boolean) => {
    await sql(`ALTER SYSTEM SET ssl = ${isOn ? "on" : "off"}`);
    await sql("SELECT pg_reload_conf()");
    // The postmaster reads its settings in its own time.
    await sleep(500);
  };
  await offer(true);
  return { trusted: files.ssl_cert_file, end: () => offer(false) };
}
