import "server-only";
import { existsSync } from "node:fs";
import { type Binaries, findBinaries } from "./binaries";
import { createCluster } from "./cluster";
import type { Files } from "./files";
import { readIdentity } from "./identity";
import { type RunAs, runAs } from "./run-as";

/** Everything that a Postgres needs to be started. */
export interface Installation {
  files: Files;
  binaries: Binaries;
  as: RunAs;
}

/** Finds the programs, and creates the data on the first start. */
export async function prepare(files: Files): Promise<Installation> {
  const binaries = findBinaries();
  const as = runAs(files.data, [binaries.postgres, files.folder]);
  if (!existsSync(files.data)) await createCluster(files, binaries, as, readIdentity(files).password);
  return { files, binaries, as };
}
