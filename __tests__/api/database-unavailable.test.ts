import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { allCalls } from "@/__tests__/support/calls";
import { post } from "@/__tests__/support/post";
import { readinessCache } from "@/__tests__/support/readiness-cache";
import { startTcpServer } from "@/__tests__/support/tcp-server";
import { GET as health } from "@/app/api/health/route";
import { closeDatabase } from "@/lib/server/db/client";
import { serveMetrics } from "@/lib/server/http/metrics";
import { makeToken } from "@/lib/server/links/token";

// Nothing listens on port 1.
process.env.DATABASE_URL = "postgresql://nobody@127.0.0.1:1/nothing";
process.env.LOG_LEVEL = "silent";
// This is longer than a test may take, so a call that waits for it fails the test.
process.env.DATABASE_TIMEOUT_MS = "60000";

const endCache = readinessCache();
let metrics: Server | undefined;
afterAll(async () => {
  metrics?.close();
  metrics?.closeAllConnections();
  await closeDatabase();
});

test.each(allCalls)("$name answers 503 with Retry-After at once", async ({ handler }) => {
  const { status, body, headers } = await post(handler, { token: makeToken(), data: {} });
  expect(status).toBe(503);
  expect(headers.get("retry-after")).toBe("5");
  expect(body).toEqual({ success: false, message: "We can't reach our records right now" });
});

test("health is 503", async () => {
  expect((await health()).status).toBe(503);
});

test.each(["refuses", "is silent"])(
  "the metrics say that the process is not ready while the database %s",
  async (how) => {
    const silent = await startTcpServer(() => {});
    await closeDatabase();
    endCache();
    process.env.DATABASE_URL = `postgresql://nobody@127.0.0.1:${how === "refuses" ? 1 : silent.port}/nothing`;
    metrics ??= await serveMetrics(0);
    const response = await fetch(`http://127.0.0.1:${(metrics.address() as AddressInfo).port}/metrics`);
    // Closing the pool would otherwise wait for its connections.
    silent.stop();
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(/^rent_advance_ready 0$/m);
    expect(text).toMatch(/^rent_advance_oldest_message_due_seconds Nan$/m);
  },
);
