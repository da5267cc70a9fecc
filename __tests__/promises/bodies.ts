import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { wholeApplication } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { everyCall, newAddress, send } from "@/__tests__/support/processes/call";
import { slowest, tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

const odd: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  " ",
  "\0",
  "\ud800",
  "x".repeat(5000),
  [],
  {},
  [[]],
  { a: { b: {} } },
  "1e3",
  "<b>",
  "__proto__",
];

/** A valid body with one mutation: something changed, cut or misplaced. */
function fuzzed(token: string): string | Buffer {
  const data: Record<string, unknown> = { ...wholeApplication, [pick(Object.keys(wholeApplication))]: pick(odd) };
  const body = {
    token: randomInt(4) ? token : pick(odd),
    data: randomInt(6) ? data : pick(odd),
    [String(pick(odd))]: pick(odd),
  };
  const text = JSON.stringify(body);
  switch (randomInt(8)) {
    case 0:
      return text.slice(0, randomInt(text.length));
    case 1:
      return Buffer.concat([Buffer.from(text.slice(0, 40)), randomBytes(8), Buffer.from(text.slice(40))]);
    case 2:
      return JSON.stringify(pick(odd));
    case 3:
      return text.replace(/:/, pick([":", "::", ",", "\u2028", "/*x*/"]));
    case 4:
      return "[".repeat(randomInt(1, 15_000));
    default:
      return text;
  }
}

async function fuzz(app: App): Promise<number[]> {
  const landlords = await several(60, 6, () => invited());
  const answers = await several(10_000, 24, async (n) => {
    const path = `/api/v1/user/${pick(everyCall)}`;
    const token = landlords[n % landlords.length]?.token ?? "";
    const headers = { "content-type": "application/json", "x-forwarded-for": newAddress() };
    const { status, body } = await send(app, path, {
      method: "POST",
      headers,
      body: new Uint8Array(Buffer.from(fuzzed(token))),
    });
    expect(
      typeof body.success === "boolean" && (body.success || typeof body.message === "string"),
      `${path}: ${status} without {success, message}`,
    );
    expect(body.success === (status === 200), `success is ${body.success} with ${status}`);
    return status;
  });
  same(answers.filter((status) => status >= 500).length, 0, `answers of 5xx (${tally(answers)})`);
  return answers;
}

/** Sends 20 MB as fast as the socket takes it; returns the milliseconds until the 413. */
async function flood(app: App, length: number | undefined): Promise<number> {
  const headers = { "content-type": "application/json", ...(length ? { "content-length": length } : {}) };
  const begun = performance.now();
  const call = request(`${app.url}/api/v1/user/submit`, { method: "POST", headers });
  const chunk = Buffer.alloc(64 * 1024, "x");
  let sent = 0;
  const pour = () => {
    while (sent < 20 * 1024 * 1024) {
      sent += chunk.length;
      if (!call.write(chunk)) return call.once("drain", pour);
    }
    return call.end();
  };
  call.on("error", () => {});
  const answered = once(call, "response");
  pour();
  const [response] = await answered;
  const milliseconds = performance.now() - begun;
  same(response.statusCode, 413, "status of 20 MB");
  call.destroy();
  return milliseconds;
}

/** Announces a Content-Length and never sends the rest of the body. */
async function stall(app: App): Promise<[status: number, seconds: number]> {
  const begun = performance.now();
  const socket = connect(app.port, "127.0.0.1");
  socket.write(
    'POST /api/v1/user/submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"tok',
  );
  const [answer] = await once(socket, "data");
  socket.destroy();
  return [Number(String(answer).split(" ")[1]), (performance.now() - begun) / 1000];
}

async function clearAnswers(app: App): Promise<void> {
  const json = { "content-type": "application/json" };
  const wrong: [status: number, path: string, init: RequestInit][] = [
    [400, "submit", { method: "POST", headers: json, body: "{" }],
    [400, "submit", { method: "POST", headers: json, body: "" }],
    [400, "submit", { method: "POST", headers: json, body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }],
    [413, "submit", { method: "POST", headers: json, body: JSON.stringify({ x: "x".repeat(32 * 1024) }) }],
    [415, "submit", { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" }],
    [405, "submit", { method: "PUT", headers: json, body: "{}" }],
    [404, "nowhere", { method: "POST", headers: json, body: "{}" }],
  ];
  for (const [status, path, init] of wrong) {
    const answer = await send(app, `/api/v1/user/${path}`, init);
    same([answer.status, answer.body.success, typeof answer.body.message], [status, false, "string"], path);
  }
}

const badBodies: Promised = {
  number: 21,
  async prove({ start }) {
    const app = await start({ settings: { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent" } });
    await clearAnswers(app);
    const answers = await fuzz(app);
    const stalled = await stall(app);
    same(stalled[0], 408, "status of a stalled body");
    await flood(app, undefined);
    const before = app.memoryInMegabytes();
    const floods: number[] = [];
    for (let n = 0; n < 20; n += 1) floods.push(await flood(app, n % 2 ? 20 * 1024 * 1024 : undefined));
    const grown = Math.round(app.memoryInMegabytes() - before);
    expect(grown < 40, `memory grew by ${grown} MB under 20 bodies of 20 MB`);
    const quickest = floods.sort((a, b) => a - b)[10] ?? 0;
    expect(quickest < 500, `half of the 20 MB bodies waited ${Math.round(quickest)} ms`);
    await app.end("SIGTERM");
    return `10,000 fuzzed bodies: ${tally(answers.sort())}, every one {success, message}; 20 × 20 MB: 413 after ${Math.round(quickest)} ms (slowest ${Math.round(slowest(floods))}), memory ${grown >= 0 ? "+" : ""}${grown} MB; a stalled body 408 after ${stalled[1].toFixed(1)} s`;
  },
};

export const bodies = [badBodies];
