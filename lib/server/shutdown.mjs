import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";

/** For a listener under more load than it can take, then for calls: one may read its body for 10 s, and wait for the database. */
const longestMs = 15_000;
const silenceMs = 1000;

/**
 * On SIGTERM everything is served for `delayMs` more, while the load balancer takes notice; then what has arrived is answered,
 * and the process ends with 0. SIGINT, from a terminal, does so without the delay. Returns whether either has come.
 */
export function shutDownOnSignals(server, delayMs) {
  let isEnding = false;
  let accepted = 0;
  let open = 0;
  const hurry = new AbortController();
  server.on("connection", () => (accepted += 1));
  server.prependListener("request", (_, response) => {
    open += 1;
    response.once("close", () => (open -= 1));
    // The client's next request takes a new connection, to another process.
    if (isEnding) response.setHeader("Connection", "close");
  });
  // Each may come twice: a service manager signals npm and its child, and npm signals the child again.
  process.on("SIGTERM", shutDown);
  process.on("SIGINT", () => {
    hurry.abort();
    void shutDown();
  });
  return () => isEnding;

  async function shutDown() {
    if (isEnding) return;
    isEnding = true;
    // Work to finish first, such as a message that is being sent (prepare-server.ts).
    const finished = Promise.allSettled(process.listeners("shutdown").map((finish) => finish()));
    await sleep(delayMs, undefined, { signal: hurry.signal }).catch(() => {});
    await emptyBacklog(Date.now() + longestMs);
    const deadline = Date.now() + longestMs;
    let isClosed = false;
    server.close(() => (isClosed = true));
    // A connection without a request, as browsers open in advance, is given up after a second.
    for (let quietMs = 0; !isClosed && quietMs < silenceMs && Date.now() < deadline; quietMs += 20) {
      await sleep(20);
      if (open > 0) quietMs = 0;
    }
    await Promise.race([finished, sleep(longestMs)]);
    process.exit(0);
  }

  /**
   * Node accepts one connection per turn of its event loop, and the kernel resets those that still wait when the listener
   * closes. So wait for a turn that accepted none and was over at once: in a long one others may have come.
   */
  async function emptyBacklog(deadline) {
    // The turn that brought the signal may already have accepted one.
    await turn();
    for (let isEmpty = false; !isEmpty && Date.now() < deadline; ) {
      const [before, begun] = [accepted, performance.now()];
      await turn();
      isEmpty = accepted === before && performance.now() - begun < 1;
    }
  }
}
