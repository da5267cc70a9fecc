import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/__tests__/support/processes/app";
import type { Command, Engine } from "./engine";

const binary = "/usr/bin/firefox-esr";

/** Firefox speaks WebDriver as Marionette, over TCP: what geckodriver translates to, which Debian has not. */
const names: Record<Command["name"], string> = {
  url: "WebDriver:Navigate",
  back: "WebDriver:Back",
  actions: "WebDriver:PerformActions",
  "execute/sync": "WebDriver:ExecuteScript",
  "element/click": "WebDriver:ElementClick",
  "element/value": "WebDriver:ElementSendKeys",
};

/** Each message is 'LENGTH:JSON', the length in bytes. */
async function* messagesOf(socket: Socket): AsyncGenerator<unknown> {
  let held = Buffer.alloc(0);
  for await (const chunk of socket) {
    held = Buffer.concat([held, chunk as Buffer]);
    for (let colon = held.indexOf(":"); colon > 0; colon = held.indexOf(":")) {
      const end = colon + 1 + Number(held.subarray(0, colon));
      if (held.length < end) break;
      yield JSON.parse(held.subarray(colon + 1, end).toString());
      held = held.subarray(end);
    }
  }
}

async function connected(port: number): Promise<Socket> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    if (isOpen) return socket;
    await sleep(100);
  }
  throw new Error("Firefox does not listen.");
}

async function start() {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  writeFileSync(join(profile, "user.js"), `user_pref("marionette.port", ${port});\n`);
  const flags = ["--headless", "--marionette", "--no-remote", "--profile", profile];
  const browser = spawn(binary, flags, { stdio: "ignore" });
  const gone = once(browser, "exit");
  const socket = await connected(port);
  const messages = messagesOf(socket);
  await messages.next();
  let id = 0;
  async function call(name: string, parameters: object = {}): Promise<unknown> {
    id += 1;
    const message = JSON.stringify([0, id, name, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = (await messages.next()).value as [number, number, { message: string } | null, unknown];
    if (error) throw new Error(`${name}: ${error.message}`);
    return result !== null && typeof result === "object" && "value" in result ? result.value : result;
  }
  await call("WebDriver:NewSession", { pageLoadStrategy: "normal" });
  return {
    send: ({ name, parameters, element }: Command) => call(names[name], { ...parameters, id: element }),
    async end() {
      socket.destroy();
      browser.kill("SIGTERM");
      await gone;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

export const firefox: Engine = { name: "Firefox", files: [binary], start };
