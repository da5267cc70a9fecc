import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import type { App } from "@/__tests__/support/processes/app";
import { send } from "@/__tests__/support/processes/call";
import { median, slowest, tally } from "@/__tests__/support/processes/figures";
import { pagePaths } from "@/lib/domain/journey";

const settings = { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent" };
const chunk = Buffer.alloc(64 * 1024, "x");
const megabyte = 1024 * 1024;

/** Sends 20 MB as fast as the socket accepts it, with or without a Content-Length. Returns the milliseconds until the 413. */
async function flood(app: App, length?: number): Promise<number> {
  const headers = { "content-type": "application/json", ...(length ? { "content-length": length } : {}) };
  const begun = performance.now();
  const call = request(`${app.url}/api/v1/user/submit`, { method: "POST", headers }).on("error", () => {});
  let sent = 0;
  const pour = () => {
    while (sent < 20 * megabyte) {
      sent += chunk.length;
      if (!call.write(chunk)) return call.once("drain", pour);
    }
    return call.end();
  };
  const answered = once(call, "response");
  pour();
  const [response] = await answered;
  same(response.statusCode, 413, "status of 20 MB");
  call.destroy();
  return performance.now() - begun;
}

/** Announces a body of 100 bytes and sends only its start. Returns the seconds until the 408. */
async function stallCall(app: App): Promise<number> {
  const begun = performance.now();
  const socket = connect(app.port, "127.0.0.1");
  const head = "POST /api/v1/user/submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100";
  socket.write(`${head}\r\n\r\n{"tok`);
  const [response] = await once(socket, "data");
  socket.destroy();
  same(String(response).split(" ")[1], "408", "status of a stalled body");
  return (performance.now() - begun) / 1000;
}

promise(21, async ({ start }) => {
  const app = await start({ settings });
  const seconds = await stallCall(app);
  await flood(app);
  const before = app.memoryInMegabytes();
  const floods: number[] = [];
  for (let n = 0; n < 20; n += 1) floods.push(await flood(app, n % 2 ? 20 * megabyte : undefined));
  const grown = Math.round(app.memoryInMegabytes() - before);
  expect(grown < 40, `memory grew by ${grown} MB under 20 bodies of 20 MB`);
  expect(median(floods) < 500, `half of the 20 MB bodies waited ${Math.round(median(floods))} ms`);
  return `20 × 20 MB: 413 after ${Math.round(median(floods))} ms (slowest ${Math.round(slowest(floods))}), memory ${grown >= 0 ? "+" : ""}${grown} MB; a stalled body 408 after ${seconds.toFixed(1)} s`;
});

const pages = [...pagePaths, "/nowhere", "/icon.svg"];

/** Sends a 10 MB body until the server answers or only its last byte is missing, and leaves the connection open. */
async function stallPage(app: App, path: string) {
  const socket = connect(app.port, "127.0.0.1").on("error", () => {});
  let rest = 10 * megabyte - 1;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${rest + 1}\r\n\r\n`);
  const answered = once(socket, "data", { signal: AbortSignal.timeout(15_000) });
  const pour = () => {
    while (rest > 0 && socket.writable) {
      const part = chunk.subarray(0, rest);
      rest -= part.length;
      if (!socket.write(part)) return socket.once("drain", pour);
    }
  };
  pour();
  const [response] = await answered.catch(() => ["no response yet"]);
  rest = 0;
  return { status: String(response).split(" ")[1] ?? "", socket };
}

promise(37, async ({ start }) => {
  const app = await start({ settings });
  // The first requests to each page allocate memory of their own, so they are made before the baseline is measured.
  for (const path of [...pages, ...pages, ...pages]) await send(app, path, {});
  const before = app.memoryInMegabytes();
  const stalled = Array.from({ length: 100 }, (_, n) => stallPage(app, pages[n % pages.length] ?? "/"));
  const statuses = (await Promise.all(stalled)).map(({ status }) => status);
  const grown: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    grown.push(app.memoryInMegabytes() - before);
    await sleep(100);
  }
  same((await send(app, "/api/health", {})).status, 200, "status of another call meanwhile");
  for (const { socket } of await Promise.all(stalled)) socket.destroy();
  same(tally(statuses), "100 × 405", "statuses of stalled POSTs to pages");
  const growth = Math.max(0, Math.round(slowest(grown)));
  expect(growth < 100, `the memory of the process grew by ${growth} MB`);
  return `100 stalled POSTs of 10 MB to ${pages.length} pages: 100 × 405, memory of the process up by ${growth} MB`;
});
