import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { collectDefaultMetrics, Gauge, register } from "prom-client";
import { database, prisma } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import { buildInfo } from "./build-info";
import "./counters";
import { oldestDueSeconds, readiness } from "./readiness";

export async function serveMetrics(port: number): Promise<Server> {
  const server = createServer(({ method, url }, response) => {
    if (method !== "GET" || url !== "/metrics") return response.writeHead(404).end();
    register.metrics().then(
      (text) => response.setHeader("content-type", register.contentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  // unref(), so that the metrics server does not keep the process alive.
  server.listen(port, "127.0.0.1").unref();
  await once(server, "listening").catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`METRICS_PORT: cannot listen on port ${port} of 127.0.0.1 (${code}).`);
  });
  collectDefaultMetrics();
  defineGauges();
  return server;
}

/**
 * Returns `fallback` if the value fails or takes longer than 3 s. Otherwise one such gauge would fail the whole scrape, for
 * which Prometheus waits 10 s by default.
 */
function withFallback<T>(value: Promise<T>, fallback: T): Promise<T> {
  return Promise.race([value.catch(() => fallback), sleep(3000, fallback, { ref: false })]);
}

async function oldestFreshLinkRequestSeconds(): Promise<number> {
  const oldest = await prisma().freshLinkRequest.findFirst({ orderBy: { createdAt: "asc" } });
  if (!oldest) return 0;
  return Math.round(((await transactionTime(prisma())).getTime() - oldest.createdAt.getTime()) / 1000);
}

function defineGauges(): void {
  const build = buildInfo();
  new Gauge({
    name: "rent_advance_build_info",
    help: "1, labelled with the version and the commit that run.",
    labelNames: ["version", "commit"],
  }).set({ ...build }, 1);
  new Gauge({
    name: "rent_advance_pool_connections",
    help: "Connections to the database, by state.",
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
    help: "How long the oldest message has been due; 0 if none is due, NaN while the database does not answer.",
    async collect() {
      this.set(await withFallback(oldestDueSeconds(prisma()), Number.NaN));
    },
  });
  new Gauge({
    name: "rent_advance_oldest_fresh_link_request_seconds",
    help: "How long the oldest request for a fresh link has waited; 0 if none waits, NaN while the database does not answer.",
    async collect() {
      this.set(await withFallback(oldestFreshLinkRequestSeconds(), Number.NaN));
    },
  });
  let isEnding = false;
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => (isEnding = true));
  new Gauge({
    name: "rent_advance_ready",
    help: "1 while /api/ready answers 200.",
    async collect() {
      const isReady = readiness().then(({ status }) => status === "ready");
      this.set(!isEnding && (await withFallback(isReady, false)) ? 1 : 0);
    },
  });
}
