import { request as plainRequest } from "node:http";
import { request } from "node:https";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { type ReverseProxy, startReverseProxy } from "@/__tests__/lab/promises/support/reverse-proxies";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { tally } from "@/__tests__/support/processes/figures";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { join, startTcpServer } from "@/__tests__/support/tcp-server";
import { makeToken } from "@/lib/server/links/token";

/** The ways in which an app fails. Refused connections are covered by the other app, which is killed. */
const failures: Record<string, (client: Socket) => void> = {
  reset: (client) => client.resetAndDestroy(),
  "cut off": (client) => client.end("HTTP/1.1 200 OK\r\nContent-Le"),
  nonsense: (client) => client.end("SSH-2.0-OpenSSH_9.2\r\n\r\n"),
  silence: () => {},
};
const rounds = ["none", ...Object.keys(failures)];
const perRound = 100;

/** Starts a server that fails requests to the app as `failWith` says, but not health checks, so that proxies still use it. */
async function startFailingApp({ app, after }: World) {
  let failure = "none";
  const { port, stop } = await startTcpServer((client) =>
    client.once("data", (first) => {
      const isCheck = first.toString("latin1").startsWith("GET /api/ready");
      const fail = isCheck ? undefined : failures[failure];
      if (fail) return fail(client);
      const onward = connect(app.port, "127.0.0.1");
      onward.write(first);
      join(client, onward);
    }),
  );
  after(stop);
  const failWith = (next: string) => {
    failure = next;
  };
  return { port, failWith };
}

/** Links as they are opened, and as mail programs and people garble them. */
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

/** Opens a link with its token in the Referer and in a cookie too. Resolves with the status or the kind of failure. */
function open({ port, plainPort }: ReverseProxy, n: number, token: string, milliseconds: number): Promise<string> {
  const isPlain = n % 20 === 19;
  const path = spellings[n % spellings.length]?.(token) ?? "/";
  const headers = { referer: `https://apply.example/?token=${token}`, cookie: `__Host-handoff=${token}.ba` };
  const target = { host: "127.0.0.1", path, headers, agent: false, signal: AbortSignal.timeout(milliseconds) };
  return new Promise((resolve) => {
    const sent = isPlain
      ? plainRequest({ ...target, port: n % 40 === 39 ? port : plainPort })
      : request({ ...target, port, rejectUnauthorized: false });
    sent.on("response", (response) => response.resume().once("close", () => resolve(String(response.statusCode))));
    sent.on("error", ({ name }) => resolve(/^(Abort|Timeout)Error$/.test(name) ? "gave up" : "no answer"));
    sent.end();
  });
}

/** Opens 1,000 links through a proxy, while one app fails in every way and the other is killed halfway. */
async function openMany(name: ReverseProxy["name"], world: World): Promise<string> {
  const other = await world.start();
  const failing = await startFailingApp(world);
  const proxy = await startReverseProxy(name, [failing.port, other.port]);
  world.after(proxy.stop);
  const tokens: string[] = [];
  const outcomes: string[] = [];
  for (const [round, failure] of [...rounds, ...rounds].entries()) {
    failing.failWith(failure);
    const isSilent = failure === "silence";
    const opened = runConcurrently(perRound, isSilent ? perRound : 20, (n) => {
      const token = makeToken();
      tokens.push(token);
      return open(proxy, round * perRound + n, token, isSilent && n % 4 ? 1000 : 12_000);
    });
    if (round === rounds.length) await other.end("SIGKILL");
    outcomes.push(...(await opened));
  }
  await sleep(300);
  const logs = proxy.logs();
  const leaked = tokens.filter((token) => logs.includes(token.slice(0, 16)));
  const line = logs.split("\n").find((text) => leaked.some((token) => text.includes(token.slice(0, 16))));
  same([tokens.length, leaked.length], [1000, 0], `links opened through ${name}, tokens in its logs (such as ${line})`);
  expect(/\b50[234]\b/.test(logs), `${name} logs no failure`);
  return `${name} ${logs.split("\n").length - 1} lines (${tally(outcomes.sort())})`;
}

promise(60, async (world) => {
  const names = ["nginx", "haproxy", "caddy"] as const;
  const figures = await Promise.all(names.map((name) => openMany(name, world)));
  return `1,000 links opened through each, with an app behind that resets, cuts off, talks nonsense or is silent, and one that is killed: 0 tokens in ${figures.join(", ")}`;
});
