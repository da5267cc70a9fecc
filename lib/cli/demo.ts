import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseCommand, UsageError } from "@/lib/cli/command";
import { currentSettings } from "@/lib/server/env";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { invitationSchema } from "@/lib/server/invitations/invitation";

const patienceMs = 60_000;

const landlord = {
  mobile: "61412345678",
  "first-name": "Alex",
  "last-name": "Nguyen",
  email: "alex.nguyen@example.com",
};
const agent = {
  "agency-name": "Harbour & Hill Property",
  "agent-first-name": "Priya",
  "agent-last-name": "Shah",
  "agent-mobile": "61298765432",
  "agent-email": "priya.shah@example.com",
};

/** One invitation for each kind of link, from the fullest to the barest. */
const invitations = [
  {
    ...landlord,
    ...agent,
    "property-address": "12 Wattle Lane, Newtown NSW 2042",
    quote: ["2450.00", "1980.00"],
    source: "ba",
  },
  { ...landlord, ...agent, quote: ["2450.00"], source: "ia" },
  { mobile: landlord.mobile },
].map((given) => invitationSchema.parse(given));

async function requireFreePort(port: number): Promise<void> {
  const probe = createServer();
  const taken = new Promise<never>((_, reject) => {
    probe.once("error", () =>
      reject(new UsageError(`Port ${port} is in use: set PORT to another, such as PORT=3001.`)),
    );
  });
  await Promise.race([once(probe.listen(port), "listening"), taken]);
  await new Promise((resolve) => probe.close(resolve));
}

async function untilHealthy(port: number, hasEnded: () => boolean): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(100)) {
    if (hasEnded()) throw new Error("The app ended before it was up.");
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error("The app did not come up in time.");
}

function build(): void {
  const { status } = spawnSync("npm", ["run", "--silent", "build"], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error("The build failed.");
}

databaseCommand(async () => {
  const { port } = currentSettings();
  await requireFreePort(port);
  build();
  const app = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start"], {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production", PORT: String(port) },
  });
  const ended = once(app, "exit");
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => app.kill(signal));
  await untilHealthy(port, () => app.exitCode !== null);
  const links = await createInvitations(invitations);
  const names = ["Pre-approval (source ba)", "Invoice (source ia)", "No source"];
  console.log("\nThe app is running. Each of these links opens an application of its own:\n");
  for (const [index, { link, reference }] of links.entries()) console.log(`${names[index]}, ${reference}\n  ${link}\n`);
  console.log("Read the applications with 'npm run studio' in another terminal. Ctrl-C stops everything.");
  await ended;
});
