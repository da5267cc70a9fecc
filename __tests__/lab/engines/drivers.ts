import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/__tests__/support/processes/app";
import { until } from "@/__tests__/support/until";
import { isListening } from "@/lib/embedded-postgres/cluster";

type Command = "url" | "back" | "actions" | "execute/sync" | "element/click";

/** A browser with one page, which accepts W3C WebDriver commands. */
export interface Session {
  send(command: Command, parameters?: object, element?: string): Promise<unknown>;
  end(): Promise<void>;
}

const miniBrowser = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

export async function startWebkit(): Promise<Session> {
  const port = await freePort();
  const flags = ["-displayfd", "1", "-screen", "0", "1280x1024x24"];
  const screen = spawn("/usr/bin/Xvfb", flags, { stdio: ["ignore", "pipe", "ignore"] });
  const [number] = await once(screen.stdout, "data");
  const env = { ...process.env, DISPLAY: `:${String(number).trim()}` };
  const server = spawn("/usr/bin/WebKitWebDriver", [`--port=${port}`], { stdio: "ignore", env });
  async function call(path: string, body: object) {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, { method: "POST", body: JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  }
  await until(() => isListening(port), 30_000, "WebKitWebDriver did not listen");
  const options = { binary: miniBrowser, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const session = `session/${(await call("session", { capabilities })).sessionId}`;
  return {
    send: (command, parameters = {}, element) =>
      call(`${session}/${command.replace("element/", `element/${element}/`)}`, parameters),
    async end() {
      // The browser ends with its screen.
      const ended = Promise.all([server, screen].map((child) => once(child, "exit")));
      for (const child of [server, screen]) child.kill();
      await ended;
    },
  };
}

/** Firefox speaks Marionette over TCP. geckodriver would translate WebDriver to it, but Debian does not package it. */
const marionette: Record<Command, string> = {
  url: "WebDriver:Navigate",
  back: "WebDriver:Back",
  actions: "WebDriver:PerformActions",
  "execute/sync": "WebDriver:ExecuteScript",
  "element/click": "WebDriver:ElementClick",
};

/** Reads one message: 'LENGTH:JSON', with the length in bytes. */
async function messageOf(socket: Socket): Promise<unknown> {
  let read = Buffer.alloc(0);
  for (;;) {
    const [chunk] = await once(socket, "data");
    read = Buffer.concat([read, chunk]);
    const start = read.indexOf(":") + 1;
    if (start > 0 && read.length >= start + Number(read.subarray(0, start - 1)))
      return JSON.parse(read.subarray(start).toString());
  }
}

export async function startFirefox(): Promise<Session> {
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  writeFileSync(join(profile, "user.js"), `user_pref("marionette.port", ${port});\n`);
  const flags = ["--headless", "--marionette", "--no-remote", "--profile", profile];
  const browser = spawn("/usr/bin/firefox-esr", flags, { stdio: "ignore" });
  const gone = once(browser, "exit");
  await until(() => isListening(port), 30_000, "Firefox did not listen");
  const socket = connect(port, "127.0.0.1");
  await messageOf(socket);
  async function call(name: string, parameters: object): Promise<unknown> {
    const message = JSON.stringify([0, 1, name, parameters]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = (await messageOf(socket)) as [0, 0, Error | null, { value?: unknown } | null];
    if (error) throw new Error(`${name}: ${error.message}`);
    return result && "value" in result ? result.value : result;
  }
  await call("WebDriver:NewSession", { pageLoadStrategy: "normal" });
  return {
    send: (command, parameters, element) => call(marionette[command], { ...parameters, id: element }),
    async end() {
      socket.destroy();
      browser.kill();
      await gone;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
