import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { type Answer, call } from "@/__tests__/support/processes/call";
import { quantile, tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { expect, same } from "./support/expect";
import { bestRound, startFloor } from "./support/floor";
import { steadily } from "./support/steadily";
import type { Promised } from "./support/world";

const seconds = 10;

/** Half send their headers, half their body, one byte at a time. */
function slowConnections(app: App, count: number): () => void {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 1) {
    const socket = connect(app.port, "127.0.0.1");
    socket.on("error", () => {});
    const start = "POST /api/v1/user/submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    socket.write(n % 2 ? start : `${start}Content-Length: 2000\r\n\r\n{`);
    sockets.push(socket);
  }
  const dribble = setInterval(() => {
    for (const [n, socket] of sockets.entries()) if (socket.writable) socket.write(n % 2 ? "X" : " ");
  }, 500);
  return () => {
    clearInterval(dribble);
    for (const socket of sockets) socket.destroy();
  };
}

function p95(answers: Answer[]): number {
  same(tally(answers.map(({ status }) => status)), `${answers.length} × 200`, "statuses");
  return Math.round(
    quantile(
      answers.map(({ milliseconds }) => milliseconds),
      0.95,
    ),
  );
}

const manyAtOnce: Promised = {
  number: 26,
  async prove({ start }) {
    const app = await start({ settings: { LOG_LEVEL: "silent" } });
    const tokens = (await several(50, 5, () => invited())).map(({ token }) => token);
    await several(200, 4, (n) => call(app, "submit-step-1", { token: tokens[n % 50], data: landlord }));
    const floor = await startFloor();
    const round = async (perSecond: number) => {
      floor.taken();
      const taken = p95(await steadily(app, perSecond, seconds, tokens));
      return { taken, floor: quantile(floor.taken(), 0.95) };
    };
    const end = slowConnections(app, 200);
    await sleep(500);
    const beside = await bestRound(500, () => round(40));
    end();
    const steady = await bestRound(200, () => round(100));
    floor.end();
    expect(beside.isKept, `beside 200 slow connections the p95 of other users was ${beside.told}`);
    expect(steady.isKept, `at 100 saves a second the p95 was ${steady.told}`);
    await app.end("SIGTERM");
    return `beside 200 slow connections: p95 of other users ${beside.told}; steady 100 saves a second for ${seconds} s: p95 ${steady.told}`;
  },
};

export const crowds = [manyAtOnce];
