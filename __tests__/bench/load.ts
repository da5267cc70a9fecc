import { type ChildProcess, fork } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { once } from "node:events";
import { landlord } from "@/__tests__/support/answers";
import type { App } from "@/__tests__/support/processes/app";
import type { Load, Measured } from "./load-worker";
import { submittedEach } from "./seed";

const connections = 32;
/** How many applications a load spreads over, to avoid contention on one row. The same for small and large tables. */
const variety = 1000;

export const names = { verify: "verify-token", save: "submit-step" } as const;
export type Call = keyof typeof names;

let worker: ChildProcess | undefined;

/** One long-lived process generates all load: its code is warm, and starting a new one would take time from the apps. */
function startLoad(): ChildProcess {
  worker ??= fork("__tests__/bench/load-worker.ts", { execArgv: ["--require", "tsx/cjs"] });
  return worker;
}

export const loadProcess = () => startLoad().pid ?? 0;

/** 2xx answers per second. */
export async function throughput(load: Omit<Load, "connections" | "seconds">, seconds = 2): Promise<number> {
  const process = startLoad();
  process.send({ ...load, connections, seconds });
  const [{ failure, perSecond }] = (await once(process, "message")) as [Measured];
  if (failure) throw new Error(failure);
  return perSecond;
}

export function endLoad(): void {
  worker?.disconnect();
  worker = undefined;
}

const tokenOf = (n: number) => createHash("sha256").update(`bench${n}`).digest("base64url");

/** Of applications that the seed has left unsubmitted. */
function someTokens(applications: number): string[] {
  return Array.from({ length: variety }, () => tokenOf(randomInt(applications / submittedEach) * submittedEach + 1));
}

/** The two measured calls, with bodies for applications that `seed` creates: others each time. */
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

/** The rate of a call to one app or several. */
export function sendTo(applications: number) {
  return (call: Call, ...apps: App[]) =>
    throughput({ urls: apps.map(({ url }) => url), ...callsTo(applications)[call] });
}

export type Send = ReturnType<typeof sendTo>;

/** Unmeasured warm-up: compiles code, opens connections, fills caches. */
export async function warm(send: Send, ...apps: App[]): Promise<void> {
  for (const call of ["verify", "save"] as const) for (const app of apps) await send(call, app);
}
