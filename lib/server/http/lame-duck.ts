import "server-only";
import type { Server, ServerResponse } from "node:http";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { openResponses } from "./page-status";

/** Of a listener that never runs dry: it is under more load than it can take. */
const longestBacklogMs = 15_000;
const shortTurnMs = 1;
/** A call may read its body for 10 s, and then waits for the database. */
const longestCallMs = 15_000;
/** After which a connection without a request is given up: browsers open some in advance. */
const silenceMs = 1000;

// On the process: Next bundles the instrumentation, which hears the signal, and the route of /api/ready apart.
const kept = globalThis as { rentAdvanceIsEnding?: boolean };
const servers = new Set<Server>();
let taken = 0;

const lastWorks: (() => Promise<void>)[] = [];

/** What is to be finished before the process ends, begun when the end begins. */
export function finishBeforeTheEnd(work: () => Promise<void>): void {
  lastWorks.push(work);
}

/** Whether SIGTERM or SIGINT has come. */
export function isEnding(): boolean {
  return kept.rentAdvanceIsEnding ?? false;
}

/** Next makes the server, so it is met with its first connection. */
export function noteConnection(server: Server): void {
  servers.add(server);
  taken += 1;
}

/** Connection: close, once the end has begun: the client's next request takes a new connection, to another process. */
export function lastOnItsConnection(response: ServerResponse): void {
  if (isEnding()) response.shouldKeepAlive = false;
}

/**
 * On SIGTERM /api/ready fails at once, and everything is served for `delayMs` more, while the load balancer takes notice;
 * then what has arrived is answered, and the process ends with 0. SIGINT, from a terminal, does so without the delay.
 */
export function endOnSignals(delayMs: number): void {
  const hurry = new AbortController();
  // Each may come twice: a service manager tells npm and its child, and npm tells the child again.
  process.on("SIGTERM", () => void end(delayMs, hurry.signal));
  process.on("SIGINT", () => {
    hurry.abort();
    void end(0, hurry.signal);
  });
}

async function end(delayMs: number, hurry: AbortSignal): Promise<void> {
  if (isEnding()) return;
  kept.rentAdvanceIsEnding = true;
  openResponses().forEach(lastOnItsConnection);
  const finished = Promise.all(lastWorks.map((work) => work()));
  await sleep(delayMs, undefined, { signal: hurry }).catch(() => {});
  await untilBacklogIsTaken();
  const closed = [...servers].map((server) => new Promise((resolve) => server.close(resolve)));
  await Promise.race([Promise.all(closed), untilQuiet()]);
  await Promise.race([finished, sleep(longestCallMs)]);
  process.exit(0);
}

/**
 * Node takes one connection per turn of the event loop, and the kernel resets those that still wait when the listener closes.
 * So it closes after a turn that found none and was over at once: in a long one others may have come.
 */
async function untilBacklogIsTaken(): Promise<void> {
  const latest = performance.now() + longestBacklogMs;
  // From here each turn looks for connections once; the one that brought the signal may already have.
  await turn();
  for (let isEmpty = false; !isEmpty && performance.now() < latest; ) {
    const before = taken;
    const begun = performance.now();
    await turn();
    isEmpty = taken === before && performance.now() - begun < shortTurnMs;
  }
}

/** Counted in looks, not by the clock: while the process stands still, nothing is quiet. */
async function untilQuiet(): Promise<void> {
  const latest = performance.now() + longestCallMs;
  for (let quietMs = 0; quietMs < silenceMs && performance.now() < latest; quietMs += 20) {
    await sleep(20);
    if (openResponses().length > 0) quietMs = 0;
  }
}
