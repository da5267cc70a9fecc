import "server-only";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { database, prisma } from "@/lib/server/db/client";
import { oldestDueSeconds } from "@/lib/server/db/statements";
import { countWith } from "./counts";
import { readiness } from "./readiness";

/** Serves the metrics of this process to this machine alone, and begins to count. */
export async function serveMetrics(port: number): Promise<Server> {
  const server = createServer(({ method, url }, response) => {
    if (method !== "GET" || url !== "/metrics") return response.writeHead(404).end();
    register.metrics().then(
      (text) => response.setHeader("content-type", register.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  // It does not keep the process alive.
  server.listen(port, "127.0.0.1").unref();
  await once(server, "listening").catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`METRICS_PORT: port ${port} of 127.0.0.1 cannot be listened on (${code}).`);
  });
  collectDefaultMetrics();
  defineMetrics();
  return server;
}

function defineMetrics(): void {
  const calls = new Histogram({
    name: "rent_advance_call_seconds",
    help: "Calls, and links that pages have verified (page), by status.",
    labelNames: ["call", "status"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  const submissions = new Counter({ name: "rent_advance_submissions_total", help: "Applications submitted." });
  const messages = new Counter({
    name: "rent_advance_messages_total",
    help: "Attempts to send, by what came of them.",
    labelNames: ["channel", "kind", "outcome"],
  });
  countWith({
    message: ({ channel, kind = "", outcome = "error" }) => messages.inc({ channel, kind, outcome }),
    call: ({ call, status, milliseconds }) => calls.observe({ call, status }, milliseconds / 1000),
    submission: () => submissions.inc(),
  });
  new Gauge({
    name: "rent_advance_pool_connections",
    help: "Connections to the database, by what they do.",
    labelNames: ["state"],
    collect() {
      const { totalCount, idleCount } = database().pool;
      this.set({ state: "busy" }, totalCount - idleCount);
      this.set({ state: "idle" }, idleCount);
    },
  });
  new Gauge({
    name: "rent_advance_pool_waiting",
    help: "Statements that wait for a free connection.",
    collect() {
      this.set(database().pool.waitingCount);
    },
  });
  new Gauge({
    name: "rent_advance_oldest_message_due_seconds",
    help: "How long the oldest message has been due; 0 if none is.",
    async collect() {
      this.set(await oldestDueSeconds(prisma()));
    },
  });
  new Gauge({
    name: "rent_advance_ready",
    help: "1 while /api/ready answers 200.",
    async collect() {
      this.set((await readiness()).status === "ready" ? 1 : 0);
    },
  });
}
