import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { consent } from "@/__tests__/support/answers";
import { fillIn, saveLandlord, submitFinal, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { arrive, post } from "@/__tests__/support/post";
import { until } from "@/__tests__/support/until";
import { webVitals } from "@/lib/server/http/counters";
import { logSender } from "@/lib/server/http/log";
import { serveMetrics } from "@/lib/server/http/metrics";

// Calls are counted only where METRICS_PORT is set; the server below listens on a free port instead.
process.env.METRICS_PORT = "9464";
const { sql, insertMessage } = freshDatabase();

let url: string;
let server: Server;
beforeAll(async () => {
  server = await serveMetrics(0);
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** The value of each sample, by its name and labels. */
async function scrape(): Promise<Record<string, number>> {
  const text = await (await fetch(url)).text();
  const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ""), Number(line.split(" ").at(-1))]));
}

test("calls and pages are counted by status, and a submission once however often it is sent", async () => {
  const { token } = await invited();
  await fillIn(token);
  for (let n = 0; n < 3; n += 1) await post(submitFinal, { token, data: consent });
  await post(saveLandlord, { token, data: {} });
  await post(verify, { token: "unknown" });
  await arrive(token);
  const found = await scrape();
  const counted = (call: string, status: number) =>
    found[`rent_advance_call_seconds_count{call="${call}",status="${status}"}`];
  expect(counted("submit-final", 200)).toBe(3);
  expect(counted("submit-step-1", 200)).toBe(1);
  expect(counted("submit-step-1", 409)).toBe(1);
  expect(counted("verify-token", 401)).toBe(1);
  expect(counted("page", 200)).toBe(1);
  const total = 'rent_advance_call_seconds_sum{call="submit-final",status="200"}';
  expect(found[total]).toBeGreaterThan(0);
  expect(found[total]).toBeLessThan(60);
  expect(found.rent_advance_submissions_total).toBe(1);
  expect(found.rent_advance_ready).toBe(1);
  expect(Object.keys(found)).toContainEqual(
    expect.stringMatching(/^rent_advance_build_info\{version="[\d.]+",commit="(\w{12}|unknown)"\}$/),
  );
  expect(found.rent_advance_evidence_failures_total).toBe(0);
  expect(found.rent_advance_oldest_fresh_link_request_seconds).toBe(0);
  await sql(`INSERT INTO fresh_link_requests ("tokenHash", "createdAt") VALUES ('\\x00', now() - interval '1 hour')`);
  expect((await scrape()).rent_advance_oldest_fresh_link_request_seconds).toBeGreaterThanOrEqual(3600);
  expect(found.rent_advance_pool_waiting).toBe(0);
  expect(found['rent_advance_pool_connections{state="idle"}']).toBeGreaterThan(0);
  expect(found['rent_advance_pool_connections{state="busy"}']).toBe(0);
  expect(found.process_resident_memory_bytes).toBeGreaterThan(0);
});

test("attempts to send are counted by outcome", async () => {
  logSender({ channel: "email", kind: "test", outcome: "sent" });
  logSender({ channel: "sms" });
  const found = await scrape();
  expect(found['rent_advance_messages_total{channel="email",kind="test",outcome="sent"}']).toBe(1);
  expect(found['rent_advance_messages_total{channel="sms",kind="",outcome="error"}']).toBe(1);
});

test("the age of the oldest message that is due is measured, and an app that is not ready reports 0", async () => {
  await insertMessage({ dueAt: new Date(Date.now() - 90_000) });
  const { rent_advance_oldest_message_due_seconds: age } = await scrape();
  expect(age).toBeGreaterThanOrEqual(90);
  await sql("DELETE FROM messages WHERE kind = 'test'; ALTER TABLE links RENAME TO elsewhere");
  // Readiness is cached for a second.
  await until(async () => (await scrape()).rent_advance_ready === 0);
  await sql("ALTER TABLE elsewhere RENAME TO links");
  await until(async () => (await scrape()).rent_advance_ready === 1);
});

test("web vitals have a bucket at each limit of good and poor, and calls at each limit that an alert uses", async () => {
  for (const histogram of Object.values(webVitals)) histogram.observe({ page: "/", source: "ba" }, 0);
  const found = await scrape();
  const limits = {
    rent_advance_largest_contentful_paint_seconds: [2.5, 4],
    rent_advance_interaction_to_next_paint_seconds: [0.2, 0.5],
    rent_advance_cumulative_layout_shift: [0.1, 0.25],
  };
  for (const [name, values] of Object.entries(limits))
    for (const le of values) expect(found[`${name}_bucket{le="${le}",page="/",source="ba"}`]).toBe(1);
  for (const le of [0.1, 1])
    expect(found).toHaveProperty([`rent_advance_call_seconds_bucket{le="${le}",call="page",status="200"}`]);
  expect(found['rent_advance_policy_reports_total{directive="other"}']).toBe(0);
});

test("the port serves the metrics alone, and to this machine alone", async () => {
  expect((await fetch(url.replace("/metrics", "/"))).status).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(404);
  const { port } = new URL(url);
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  for (const { address } of all.filter(({ family, internal }) => family === "IPv4" && !internal))
    await expect(fetch(`http://${address}:${port}/metrics`)).rejects.toThrow("fetch failed");
});

test("the error for a port in use names the setting and the port", async () => {
  const { port } = new URL(url);
  const error = `METRICS_PORT: cannot listen on port ${port} of 127.0.0.1 (EADDRINUSE).`;
  await expect(serveMetrics(Number(port))).rejects.toThrow(error);
});

test("every metric that operations and the alerts name exists", async () => {
  // A histogram with labels has no series before its first observation.
  for (const histogram of Object.values(webVitals)) histogram.observe({ page: "/", source: "ba" }, 1);
  const pages = ["docs/operations.md", "docs/deploy/alerts.yml"].map((page) => readFileSync(page, "utf8")).join("\n");
  const named = pages.match(/\brent_advance_\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(10);
  const names = Object.keys(await scrape()).map((sample) => sample.split("{")[0]);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});
