import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "@/__tests__/support/processes/call";
import { expect } from "./expect";
import type { World } from "./world";

const script = `require("node:http").createServer((_, response) => response.end("{}"))
  .listen(0, "127.0.0.1", function () { console.log(this.address().port) })`;

/** Returns the bare server's latencies in milliseconds since the previous call. */
type Take = () => number[];

/** Calls a bare server in its own process 20 times a second. Its latency is caused by the machine, not by the app. */
export async function startBareServer({ after }: World): Promise<Take> {
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout, "data");
  const server = { url: `http://127.0.0.1:${String(port).trim()}` };
  const times: number[] = [];
  let isEnded = false;
  const measure = async () => {
    for (; !isEnded; await sleep(50)) {
      const response = await send(server, "/", {}).catch(() => null);
      if (response) times.push(response.milliseconds);
    }
  };
  const measuring = measure();
  after(async () => {
    isEnded = true;
    await measuring;
    child.kill();
  });
  return () => times.splice(0);
}

/** Expects at most `most` milliseconds for the best of three rounds, less the bare server's latency in the same round. */
export async function expectBestRound(
  most: number,
  what: string,
  bare: Take,
  figureOf: (latencies: number[]) => number,
  round: () => Promise<number>,
): Promise<string> {
  let best = { taken: Number.POSITIVE_INFINITY, bare: 0 };
  for (let n = 0; n < 3 && best.taken - best.bare > most; n += 1) {
    bare();
    const taken = await round();
    const result = { taken, bare: figureOf(bare()) };
    if (result.taken - result.bare < best.taken - best.bare) best = result;
  }
  const busy = best.bare > most / 10 ? ` (a bare server on this busy machine: ${Math.round(best.bare)} ms)` : "";
  const figure = `${Math.round(best.taken)} ms${busy}`;
  expect(best.taken - best.bare <= most, `${what}: ${figure}`);
  return figure;
}
