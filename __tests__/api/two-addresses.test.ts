import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Connects to a host with two addresses: one that takes 400 ms to answer, because the process is busy, and one that nobody can
 * reach. Prints the error, or 'connected'.
 */
const connect = `
  const { connect, createServer } = require("node:net");
  const addresses = [{ address: "127.0.0.1", family: 4 }, { address: "2001:db8::1", family: 6 }];
  const lookup = (_, __, done) => setImmediate(() => {
    done(null, addresses);
    for (const until = Date.now() + 400; Date.now() < until;);
  });
  const server = createServer().listen(0, "127.0.0.1", () => {
    const end = (text) => { console.log(text); process.exit(); };
    const socket = connect({ host: "far.example", port: server.address().port, lookup, autoSelectFamily: true });
    socket.on("connect", () => end("connected")).on("error", ({ code }) => end(code));
  });`;
const run = (...args: string[]) =>
  execFileSync(process.execPath, [...args, "-e", connect], { encoding: "utf8", timeout: 30_000 }).trim();

test("a process reaches a host whose first address is far and whose second one cannot be reached", () => {
  expect(run()).not.toBe("connected");
  expect(run("--require", "./lib/server/start-process.cjs")).toBe("connected");
});

test("every process begins with the module that makes this possible", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  for (const name of ["dev", "build:applicants"])
    expect(scripts[name]).toContain("--require ./lib/server/start-process.cjs");
  expect(readFileSync("lib/server/process/server.mjs", "utf8")).toContain('"../start-process.cjs"');
  expect(readFileSync("lib/cli/shared/command.ts", "utf8")).toContain('require("@/lib/server/start-process.cjs")');
});
