import { setTimeout as sleep } from "node:timers/promises";
import { useEmbeddedPostgres } from "@/lib/server/database/embedded";
import { currentSettings } from "@/lib/server/env";
import { command, withDatabase } from "./command";
import { freePort } from "./free-port";
import { type Child, runChild } from "./run-child";

const patienceMs = 60_000;
const next = "node_modules/next/dist/bin/next";

const known = {
  mobile: "61412345678",
  "first-name": "Alex",
  "last-name": "Nguyen",
  email: "alex.nguyen@example.com",
  "agency-name": "Harbour & Hill Property",
  "agent-first-name": "Priya",
  "agent-last-name": "Shah",
  "agent-mobile": "61298765432",
  "agent-email": "priya.shah@example.com",
};

/** One invitation for each kind of link, from the fullest to the barest. */
const invitations = [
  {
    name: "Pre-approval (source ba)",
    given: {
      ...known,
      "property-address": "12 Wattle Lane, Newtown NSW 2042",
      quote: ["2450.00", "1980.00"],
      source: "ba",
    },
  },
  { name: "Invoice (source ia)", given: { ...known, quote: ["2450.00"], source: "ia" } },
  { name: "No source", given: { mobile: known.mobile } },
];

async function build(): Promise<void> {
  const steps = [
    ["node_modules/prisma/build/index.js", "generate", "--no-hints"],
    [next, "build"],
  ] as const;
  for (const [program, ...args] of steps) {
    const code = await runChild(program, args, { PRISMA_SCHEMA_ENGINE_BINARY: "package.json", CHECKPOINT_DISABLE: "1" })
      .ended;
    if (code !== 0) throw new Error(code === null ? "Stopped." : "The build failed.");
  }
}

async function untilHealthy(app: Child, port: number): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(100)) {
    if (app.hasEnded()) throw new Error("The app ended before it was up.");
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error("The app did not come up in time.");
}

async function printLinks(): Promise<void> {
  const { createInvitations } = await import("@/lib/server/invitations/create-invitations");
  const { invitationSchema } = await import("@/lib/server/invitations/invitation");
  const links = await withDatabase(() =>
    createInvitations(invitations.map(({ given }) => invitationSchema.parse(given))),
  );
  console.log("\nThe app is running. Each of these links opens an application of its own:\n");
  for (const [index, { link, reference }] of links.entries()) {
    console.log(`${invitations[index]?.name}, ${reference}\n  ${link}\n`);
  }
  console.log("Read the applications with 'npm run studio' in another terminal. Ctrl-C stops everything.");
}

command(async () => {
  // Always the embedded database, whatever the environment or its files name.
  process.env.DATABASE_URL = "";
  const { port } = currentSettings();
  await freePort(port, "end what uses it, or choose another, as in PORT=3001 npm run demo.");
  await Promise.all([build(), useEmbeddedPostgres()]);
  const app = runChild(next, ["start"], { NODE_ENV: "production", PORT: String(port), DATABASE_URL: "" });
  try {
    await untilHealthy(app, port);
    await printLinks();
    await app.ended;
  } finally {
    await app.stop();
  }
});
