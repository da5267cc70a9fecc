import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/__tests__/support/processes/app";
import type { Command, Engine } from "./engine";

const driver = "/usr/bin/WebKitWebDriver";
const browser = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
const display = "/usr/bin/Xvfb";

const capabilities = {
  alwaysMatch: {
    "webkitgtk:browserOptions": {
      binary: browser,
      args: ["--automation"],
    },
  },
};

async function start() {
  const port = await freePort();
  const screen = spawn(display, ["-displayfd", "1", "-screen", "0", "1280x1024x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [number] = await once(screen.stdout, "data");
  const server = spawn(driver, [`--port=${port}`], {
    stdio: "ignore",
    env: { ...process.env, DISPLAY: `:${String(number).trim()}` },
  });
  async function call(path: string, method: string, body?: object): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  }
  for (let attempt = 0; attempt < 100 && !(await call("status", "GET").catch(() => null)); attempt += 1)
    await sleep(100);
  const { sessionId } = (await call("session", "POST", { capabilities })) as { sessionId: string };
  const session = `session/${sessionId}`;
  return {
    async send({ name, parameters = {}, element }: Command) {
      const path = element ? name.replace("element/", `element/${element}/`) : name;
      return call(`${session}/${path}`, "POST", parameters);
    },
    async end() {
      await call(session, "DELETE").catch(() => null);
      const gone = Promise.all([once(server, "exit"), once(screen, "exit")]);
      server.kill("SIGTERM");
      screen.kill("SIGTERM");
      await gone;
    },
  };
}

export const webkit: Engine = { name: "WebKit", files: [driver, browser, display], start };
