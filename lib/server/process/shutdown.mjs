import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";

/** The limit for emptying the backlog, then for finishing calls, which may read a body for 10 s and wait for the database. */
const maxMs = 15_000;
const silenceMs = 1000;

/**
 * On SIGTERM the server keeps serving for `delayMs`, so that the load balancer can notice. It then answers the requests that
 * have arrived and exits with 0. SIGINT, from a terminal, skips the delay. Returns whether either signal has arrived.
 */
export function shutDownOnSignals(server, delayMs) {
  let isEnding = false;
  let accepted = 0;
  let open = 0;
  const skipDelay = new AbortController();
  server.on("connection", () => (accepted += 1));
  server.prependListener("request", (_, response) => {
    open += 1;
    response.once("close", () => (open -= 1));
    // Makes the client open a new connection for its next request, which then reaches another process.
    if (isEnding) response.setHeader("Connection", "close");
  });
  // A signal may arrive twice: a service manager signals npm and its child, and npm signals the child again.
  process.on("SIGTERM", shutDown);
  process.on("SIGINT", () => {
    skipDelay.abort();
    void shutDown();
  });
  return () => isEnding;

  async function shutDown() {
    if (isEnding) return;
    isEnding = true;
    void finishWork();
    await sleep(delayMs, undefined, { signal: skipDelay.signal }).catch(() => {});
    await emptyBacklog(Date.now() + maxMs);
    const deadline = Date.now() + maxMs;
    let isClosed = false;
    server.close(() => (isClosed = true));
    // Browsers open connections in advance. A connection without a request is dropped after a second.
    for (let quietMs = 0; !isClosed && quietMs < silenceMs && Date.now() < deadline; quietMs += 20) {
      await sleep(20);
      if (open > 0) quietMs = 0;
    }
    // A second time, because a worker that waited for its database may have started since the signal.
    await Promise.race([finishWork(), sleep(maxMs)]);
    process.exit(0);
  }

  /** The listeners finish work in progress, such as a message that is being sent (prepare-server.ts), whenever they are called. */
  function finishWork() {
    return Promise.allSettled(process.listeners("shutdown").map((finish) => finish()));
  }

  /**
   * Node accepts one connection per turn of its event loop, and the kernel resets those that still wait when the listener
   * closes. So this waits for a turn that accepted none and took less than 1 ms: during a longer turn others may have arrived.
   */
  async function emptyBacklog(deadline) {
    // The turn that delivered the signal may already have accepted a connection.
    await turn();
    for (let isEmpty = false; !isEmpty && Date.now() < deadline; ) {
      const [before, started] = [accepted, performance.now()];
      await turn();
      isEmpty = accepted === before && performance.now() - started < 1;
    }
  }
}
