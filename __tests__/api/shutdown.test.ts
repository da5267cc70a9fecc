import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { sendOnNewConnection } from "@/__tests__/support/processes/send-alone";
import { program } from "@/__tests__/support/program";
import { reportFigure } from "@/__tests__/support/size";
import { until } from "@/__tests__/support/until";

let child: ChildProcess;
afterEach(() => child.kill("SIGKILL"));

/** Starts the server in its own process, so that tests can send it signals. */
async function start(delayMs: number) {
  const command = program("__tests__/support/ending-server.ts", String(delayMs));
  child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const [port] = await once(child.stdout ?? child, "data");
  return { url: `http://127.0.0.1:${String(port).trim()}`, port: Number(port), ended };
}

/** Suspends the process while requests arrive, so that all of them wait in the kernel when the signal is delivered. */
async function signalled(app: { url: string }, signal: NodeJS.Signals, count: number): Promise<Promise<string>[]> {
  await sendOnNewConnection(app, "/").outcome;
  child.kill("SIGSTOP");
  await until(() =>
    execFileSync("ps", ["-o", "state=", "-p", String(child.pid)], { encoding: "utf8" }).startsWith("T"),
  );
  const sent = Array.from({ length: count }, () => sendOnNewConnection(app, "/"));
  await Promise.all(sent.map(({ written }) => written));
  child.kill(signal);
  child.kill("SIGCONT");
  return sent.map(({ outcome }) => outcome);
}

/** All are answered, and their connections closed. The event loop may read one request before it delivers the signal. */
function expectServed(outcomes: string[]): void {
  expect(outcomes.filter((outcome) => !outcome.startsWith("200 "))).toEqual([]);
  expect(outcomes.filter((outcome) => outcome !== "200 close").length).toBeLessThanOrEqual(1);
}

test("after SIGTERM pending requests are answered, and new ones until the delay is over", async () => {
  const app = await start(60_000);
  const waiting = await signalled(app, "SIGTERM", 100);
  // A service manager signals npm and the app, and npm signals the app again.
  child.kill("SIGTERM");
  expectServed(await Promise.all(waiting));
  expect(await sendOnNewConnection(app, "/").outcome).toBe("200 close");
  reportFigure(7, "SIGTERM with 100 requests in flight: 100 × 200");
});

test("once the delay after SIGTERM is over the process ends with 0, and nothing listens", async () => {
  const app = await start(500);
  const begun = performance.now();
  child.kill("SIGTERM");
  expect(await app.ended).toBe(0);
  expect(performance.now() - begun).toBeGreaterThan(490);
  expect(await sendOnNewConnection(app, "/").outcome).toBe("ECONNREFUSED");
  reportFigure(7, "after the delay new connections are refused, exit code 0");
});

test("work that starts after SIGTERM is finished before the process ends", async () => {
  const app = await start(200);
  const printed = once(child.stdout ?? child, "data");
  child.kill("SIGTERM");
  expect(await app.ended).toBe(0);
  expect(String(await printed)).toBe("finished\n");
});

test("SIGINT ends without the delay and interrupts no request", async () => {
  const app = await start(60_000);
  expectServed(await Promise.all(await signalled(app, "SIGINT", 100)));
  expect(await app.ended).toBe(0);
});

test("SIGINT ends the wait of an earlier SIGTERM", async () => {
  const app = await start(60_000);
  child.kill("SIGTERM");
  await until(async () => (await sendOnNewConnection(app, "/").outcome) === "200 close");
  child.kill("SIGINT");
  expect(await app.ended).toBe(0);
});

test("an idle connection does not delay the shutdown", async () => {
  const app = await start(0);
  const silent = connect(app.port, "127.0.0.1");
  silent.on("error", () => {});
  await once(silent, "connect");
  await sendOnNewConnection(app, "/").outcome;
  child.kill("SIGTERM");
  expect(await app.ended).toBe(0);
  silent.destroy();
});
