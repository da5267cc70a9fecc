import { existsSync } from "node:fs";
import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { command } from "@/lib/cli/shared/command";
import { removeDemoSettings, writeDemoSettings } from "@/lib/cli/shared/demo-settings";
import { type Child, requireFreePort, runChild } from "@/lib/cli/shared/processes";
import { embeddedPostgres } from "@/lib/server/db/embedded";
import { writeKey } from "@/lib/server/evidence/key";
import { currentSettings, replaceSettings } from "@/lib/server/settings";
import { printDemoLinks } from "./demo-links";
import { openMailbox } from "./mailbox";
import { invitationCommand } from "./mailbox-page";
import type * as SignIn from "./sign-in-provider";

const startTimeoutMs = 60_000;
const next = "node_modules/next/dist/bin/next";
const server = "lib/server/process/server.mjs";

async function build(): Promise<void> {
  await run(["prisma/generate.mjs"], "The build failed.");
  for (const process of ["", "desk"])
    await run([next, "build"], "The build failed.", { BUILD_WITHOUT_TYPES: "1", RENT_PROCESS: process });
}

async function run(args: string[], failure: string, env?: Record<string, string>): Promise<void> {
  const code = await runChild(args, env).ended;
  if (code !== 0) throw new Error(code === null ? "Stopped." : failure);
}

async function untilHealthy(app: Child, host: string, port: number): Promise<void> {
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await sleep(100)) {
    if (app.hasEnded()) throw new Error("The app stopped before it was ready.");
    const response = await fetch(`http://${host}:${port}/api/health`).catch(() => null);
    if (response?.ok) return;
  }
  throw new Error("The app was not ready in time.");
}

/** The address at which this machine reaches a server that listens on `host`. */
function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return isIPv6(host) ? `[${host}]` : host;
}

const keyFile = ".data/evidence-key.json";

function evidenceSettings(): Record<string, string> {
  if (currentSettings().EVIDENCE_KEY_FILE) return {};
  if (!existsSync(keyFile)) writeKey(keyFile);
  return { EVIDENCE_KEY_FILE: keyFile };
}

const usage = `Builds and starts the app and the desk on the embedded Postgres, and prints three links, the address of the desk and that of a
local mailbox.

  bin/rent demo`;

export default command(
  module,
  { usage },
  async () => {
    // The demo always uses the embedded Postgres and this machine, whatever the environment or an .env file sets.
    for (const name of ["DATABASE_URL", "OPERATIONS_DATABASE_URL", "APP_URL"]) process.env[name] = "";
    // By default, nobody else on the network can open a demo that runs on a person's own machine.
    const settings = currentSettings();
    const { PORT: port, HOST: host = "127.0.0.1", appUrl } = settings;
    await requireFreePort(port, "stop the program that uses it, or choose another port, as in PORT=3001 npm run demo.");
    await Promise.all([build(), embeddedPostgres(undefined, { stopAtExit: true })]);
    // Loaded when the demo starts: it is of no use to a command that only asks for help.
    const { openSignInProvider }: typeof SignIn = require("./sign-in-provider");
    const deskPort = Number(process.env.DESK_PORT) || port + 100;
    const deskUrl = `http://localhost:${deskPort}`;
    const provider = await openSignInProvider(deskUrl);
    // If a mail server is configured, the demo uses it instead of the mailbox.
    const mailbox = settings.sending.email ? undefined : await openMailbox(settings.brand);
    const shared = { ...mailbox?.settings, DESK_URL: deskUrl };
    // The sample invitations, which this process creates, are sent to the mailbox as well.
    Object.assign(process.env, shared);
    replaceSettings();
    // A line for each of the sample messages would push the addresses off the screen.
    const LOG_LEVEL = process.env.LOG_LEVEL ?? "warn";
    const env = { NODE_ENV: "production", HOST: host, PORT: String(port), LOG_LEVEL, ...shared, ...evidenceSettings() };
    const app = runChild([server], env);
    const deskSettings = { RENT_PROCESS: "desk", DESK_PORT: String(deskPort), DESK_HOST: host, ...provider.settings };
    const desk = runChild([server], { ...env, ...deskSettings });
    try {
      await untilHealthy(app, reachable(host), port);
      await untilHealthy(desk, reachable(host), deskPort);
      await printDemoLinks(`http://${reachable(host)}:${port}`);
      console.log(
        `For the lender:\n\nDesk: ${deskUrl}/desk\n  Press 'Sign in', and choose a clerk or an approver. It has applications in every state.\n`,
      );
      if (mailbox) {
        writeDemoSettings({ ...shared, APP_URL: appUrl });
        console.log(
          `Mailbox: ${mailbox.url}\n  Everything the app sends arrives there. To send an invitation, run this in another terminal:\n  ${invitationCommand}\n`,
        );
      }
      console.log("The tables are in 'npm run studio', in another terminal. Ctrl-C stops everything.");
      await Promise.race([app.ended, desk.ended]);
    } finally {
      removeDemoSettings();
      await Promise.all([app.stop(), desk.stop()]);
      provider.close();
      mailbox?.close();
    }
  },
  { joinsDemo: false, isService: true },
);
