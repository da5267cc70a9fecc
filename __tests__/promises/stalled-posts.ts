import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "@/__tests__/support/processes/app";
import { send } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const megabytes = 10;
const chunk = Buffer.alloc(64 * 1024, "x");
const pages = [
  "/",
  "/landing",
  "/home",
  "/review&submit",
  "/submit-success",
  "/un-authorized",
  "/nowhere",
  "/icon.svg",
];

/** Pours a body of 10 MB until it is answered, or all but its last byte is sent; then waits, without closing. */
async function stall(app: App, path: string): Promise<{ status: number; socket: Socket }> {
  const socket = connect(app.port, "127.0.0.1");
  socket.on("error", () => {});
  const length = megabytes * 1024 * 1024;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`);
  const answered = once(socket, "data", { signal: AbortSignal.timeout(15_000) });
  let left = length - 1;
  const pour = () => {
    while (left > 0 && socket.writable) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      if (!socket.write(part)) return socket.once("drain", pour);
    }
  };
  pour();
  const status = await answered.then(
    ([answer]) => Number(String(answer).split(" ")[1]),
    () => 0,
  );
  left = 0;
  return { status, socket };
}

const stalledPosts: Promised = {
  number: 37,
  async prove({ start }) {
    const app = await start({ settings: { LOG_LEVEL: "silent" } });
    // What a first use of each page takes is not what a stranger adds.
    for (const path of [...pages, ...pages, ...pages]) await send(app, path, {});
    const before = app.memoryInMegabytes();
    const stalled = await Promise.all(
      Array.from({ length: 100 }, (_, n) => stall(app, pages[n % pages.length] ?? "/")),
    );
    const grown: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      grown.push(app.memoryInMegabytes() - before);
      await sleep(100);
    }
    for (const { socket } of stalled) socket.destroy();
    await app.end("SIGTERM");
    same(tally(stalled.map(({ status }) => status)), "100 × 405", "statuses of stalled POSTs to pages");
    const most = Math.round(Math.max(...grown));
    expect(most < 20, `the memory of the process grew by ${most} MB`);
    return `100 stalled POSTs of ${megabytes} MB to ${pages.length} pages: 100 × 405, memory of the process up by ${Math.max(0, most)} MB`;
  },
};

export const stalled = [stalledPosts];
