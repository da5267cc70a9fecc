import { type ChildProcess, fork } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { once } from "node:events";
import { cpus } from "node:os";
import { landlord } from "@/__tests__/support/answers";
import { withClient } from "@/__tests__/support/processes/postgres";
import type { Load, Measured } from "./load-worker";

export const connections = 32;
/** How many applications a load spreads over, to avoid contention on one row. The same for small and large tables. */
const variety = 1000;

let worker: ChildProcess | undefined;

/**
 * 2xx answers per second. One long-lived process generates all load: its code is warm, and starting a new one would take
 * processor time from the apps that are measured.
 */
export async function throughput(load: Omit<Load, "connections" | "seconds">, seconds = 2): Promise<number> {
  worker ??= fork("__tests__/bench/load-worker.ts", { execArgv: ["--require", "tsx/cjs"] });
  worker.send({ ...load, connections, seconds });
  const [{ failure, perSecond }] = (await once(worker, "message")) as [Measured];
  if (failure) throw new Error(failure);
  return perSecond;
}

export function endLoad(): void {
  worker?.disconnect();
  worker = undefined;
}

/** How many cores the whole machine keeps busy during this work, all processes included. */
export async function busyCores(work: () => Promise<unknown>): Promise<number> {
  const times = () =>
    cpus().map(({ times: { idle, ...busy } }) => ({ idle, busy: Object.values(busy).reduce((a, b) => a + b) }));
  const before = times();
  await work();
  const shares = times().map(({ idle, busy }, n) => {
    const worked = busy - (before[n]?.busy ?? 0);
    return worked / (worked + idle - (before[n]?.idle ?? 0));
  });
  return shares.reduce((sum, share) => sum + share, 0);
}

const tokenOf = (n: number) => createHash("sha256").update(`bench${n}`).digest("base64url");

function someTokens(applications: number): string[] {
  return Array.from({ length: Math.min(variety, applications) }, () => tokenOf(randomInt(1, applications + 1)));
}

/** The two measured calls, with bodies for the applications that `seed` creates. */
export function callsTo(applications: number) {
  const tokens = someTokens(applications);
  return {
    verify: {
      path: "/api/v1/user/verify-token",
      bodies: tokens.map((token) => JSON.stringify({ token, source: "ba" })),
    },
    save: {
      path: "/api/v1/user/submit-step-1",
      bodies: tokens.map((token) => JSON.stringify({ token, data: landlord })),
    },
  };
}

/** Fills an empty database with applications whose links have been opened; `callsTo` derives the same tokens. */
export async function seed(url: string, applications: number): Promise<void> {
  await withClient(url, async (client) => {
    const insert = (into: string, values: string) =>
      client.query(`INSERT INTO ${into} SELECT ${values} FROM generate_series(1, ${applications}) AS n`);
    // No fsync per commit and no foreign key checks while seeding; none of it is measured.
    await client.query("SET synchronous_commit = off");
    await client.query("SET session_replication_role = replica");
    await insert(
      `applications (id, reference, "firstName", "lastName", mobile, email, "propertyAddress", source)`,
      `md5('application' || n)::uuid, 'N' || n, 'Ada', 'Byron', '61412345678', 'ada' || n || '@example.com', n || ' Wattle Lane, Sydney NSW 2000', 'ba'`,
    );
    await insert(
      `links (id, "applicationId", "expiresAt", "openedAt")`,
      `md5('link' || n)::uuid, md5('application' || n)::uuid, now() + interval '30 days', now()`,
    );
    await insert(
      `link_tokens ("linkId", "tokenHash")`,
      `md5('link' || n)::uuid, sha256(translate(rtrim(encode(sha256(('bench' || n)::bytea), 'base64'), '='), '+/', '-_')::bytea)`,
    );
    for (const kind of ["link_issued", "link_opened"])
      await insert(
        `events ("applicationId", "linkId", kind)`,
        `md5('application' || n)::uuid, md5('link' || n)::uuid, '${kind}'`,
      );
    await client.query("VACUUM ANALYZE");
    await client.query("CHECKPOINT");
  });
}
