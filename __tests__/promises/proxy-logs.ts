import { request as plainRequest } from "node:http";
import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { makeToken } from "@/lib/server/links/token";
import { expect, same } from "./support/expect";
import { type Failure, failures, startFailingApp } from "./support/failing-app";
import { type ReverseProxy, startReverseProxy } from "./support/reverse-proxies";
import type { Promised, World } from "./support/world";

const rounds: Failure[] = [...failures, ...failures];
const perRound = 100;

/** As links are opened, and as mail programs and people spoil them. */
const spellings: ((token: string) => string)[] = [
  (token) => `/?token=${token}&source=ba`,
  (token) => `/landing?source=ia&token=${token}`,
  (token) => `/home?token=${token}`,
  (token) => `//?token=${token}`,
  (token) => `/%3Ftoken=${token}`,
  (token) => `/%253Ftoken%3D${token}`,
  (token) => `/?token=${token}&more=${"x".repeat(20_000)}`,
  (token) => `/nowhere/%ff?token=${token}`,
];

/** Opens a link as a browser that also tells where it was. Resolves with the status, or with what went wrong. */
function open({ port, plainPort }: ReverseProxy, n: number, token: string, milliseconds: number): Promise<string> {
  const isPlain = n % 20 === 19;
  const path = spellings[n % spellings.length]?.(token) ?? "/";
  const headers = { referer: `https://apply.example/?token=${token}`, cookie: `__Host-handoff=${token}.ba` };
  const target = { host: "127.0.0.1", path, headers, agent: false, signal: AbortSignal.timeout(milliseconds) };
  return new Promise((resolve) => {
    const sent = isPlain
      ? plainRequest({ ...target, port: n % 40 === 39 ? port : plainPort })
      : request({ ...target, port, rejectUnauthorized: false });
    sent.on("response", (answer) => {
      answer.resume().once("close", () => resolve(String(answer.statusCode)));
    });
    sent.on("error", ({ name }) => resolve(name === "AbortError" || name === "TimeoutError" ? "gave up" : "no answer"));
    sent.end();
  });
}

/** Opens 1,000 links, while one of the apps behind fails in every way and the other is killed half way. */
async function openMany(name: ReverseProxy["name"], { app, start }: World) {
  const other = await start();
  const failing = await startFailingApp(app.port);
  const proxy = await startReverseProxy(name, [failing.port, other.port]);
  const tokens: string[] = [];
  const outcomes: string[] = [];
  try {
    for (const [round, failure] of rounds.entries()) {
      failing.failWith(failure);
      const isSilent = failure === "silence";
      const opened = several(perRound, isSilent ? perRound : 20, (n) => {
        const token = makeToken();
        tokens.push(token);
        return open(proxy, round * perRound + n, token, isSilent && n % 4 ? 1000 : 12_000);
      });
      if (round === failures.length) await other.end("SIGKILL");
      outcomes.push(...(await opened));
    }
    await sleep(300);
    return { tokens, outcomes, logs: proxy.logs() };
  } finally {
    failing.close();
    await proxy.stop();
  }
}

const tokenFreeLogs: Promised = {
  number: 60,
  async prove(world) {
    const names = ["nginx", "haproxy", "caddy"] as const;
    const found = await Promise.all(
      names.map(async (name) => {
        const { tokens, outcomes, logs } = await openMany(name, world);
        same(tokens.length, 1000, `links opened through ${name}`);
        const leaked = tokens.filter((token) => logs.includes(token.slice(0, 16)));
        const line = logs.split("\n").find((one) => leaked.some((token) => one.includes(token.slice(0, 16))));
        same(leaked.length, 0, `tokens in the logs of ${name} (such as ${line})`);
        expect(/\b50[234]\b/.test(logs), `${name} logs no failure`);
        return `${name} ${logs.split("\n").length - 1} lines (${tally(outcomes.sort())})`;
      }),
    );
    return `1,000 links opened through each, with an app behind that resets, cuts off, talks nonsense or is silent, and one that is killed: 0 tokens in ${found.join(", ")}`;
  },
};

export const proxyLogs = [tokenFreeLogs];
