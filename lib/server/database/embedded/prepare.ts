import "server-only";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { type Binaries, findBinaries } from "./binaries";
import { createCluster } from "./cluster";
import { type Files, type Identity, readIdentity, writePrivately } from "./files";
import { stopOrphan } from "./orphan";
import { type RunAs, runAs } from "./run-as";

/** Everything that a Postgres needs to be started. */
export interface Installation {
  files: Files;
  binaries: Binaries;
  as: RunAs;
  identity: Identity;
}

/** Finds the programs and sees to the data: created on the first start, and held by no other Postgres. */
export async function prepare(files: Files): Promise<Installation> {
  const binaries = findBinaries();
  const as = runAs(files.data, [binaries.postgres, files.folder]);
  const kept = readIdentity(files);
  if (existsSync(files.data)) await stopOrphan(files, kept);
  const identity = { ...kept, port: await freePort(kept.port) };
  writePrivately(files.identity, JSON.stringify(identity));
  if (!existsSync(files.data)) await createCluster(files, binaries, as, identity);
  return { files, binaries, as, identity };
}

/** The preferred port or, where something else has taken it since, another. */
async function freePort(preferred: number): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(preferred, "127.0.0.1"), "listening");
    return (probe.address() as AddressInfo).port;
  } catch {
    return freePort(0);
  } finally {
    probe.close();
  }
}
