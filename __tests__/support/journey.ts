import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { test as base, expect } from "@playwright/test";
import { Client } from "pg";

/** A browser test of the app that start-product.ts started. Fails on any uncaught error in a page. */
export const test = base.extend<{ uncaught: string[] }>({
  baseURL: process.env.APP_URL,
  uncaught: [
    async ({ context }, use) => {
      const uncaught: string[] = [];
      context.on("weberror", (error) => uncaught.push(error.error().message));
      await use(uncaught);
      expect(uncaught).toEqual([]);
    },
    { auto: true },
  ],
});

export interface Invitation {
  reference: string;
  link: string;
  token: string;
  expiresAt: string;
}

const program = ["--conditions=react-server", "--require", "tsx/cjs"];

async function run(file: string, ...flags: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [...program, file, ...flags])).stdout;
}

function startInviter() {
  const child = spawn(process.execPath, [...program, "__tests__/support/inviter.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const links = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { ask: (flags: string[]) => child.stdin.write(`${JSON.stringify(flags)}\n`), links };
}

let inviter: ReturnType<typeof startInviter> | undefined;

/** Issues a link as `npm run invite -- --json` does with these flags. */
export async function invite(...flags: string[]): Promise<Invitation> {
  inviter ??= startInviter();
  inviter.ask(flags);
  const { value, done } = await inviter.links.next();
  if (done) throw new Error("Nobody issues links any more: see above.");
  return JSON.parse(value);
}

/** Closes every link of an application. */
export async function revoke(reference: string): Promise<void> {
  await run("lib/cli/links.ts", "revoke", reference);
}

/** Closes every link of an application and issues a new one. */
export async function reissue(reference: string): Promise<Pick<Invitation, "link">> {
  return JSON.parse(await run("lib/cli/links.ts", "reissue", reference, "--json"));
}

/** Sets the status of a submitted application. */
export async function decide(reference: string, status: string): Promise<void> {
  await run("lib/cli/status.ts", reference, status);
}

/** The first row of what a statement gives to the database's owner. */
export async function sql(text: string, values: unknown[] = []): Promise<Record<string, unknown> | undefined> {
  const client = new Client({ connectionString: process.env.TEST_OWNER_URL });
  await client.connect();
  const { rows } = await client.query(text, values).finally(() => client.end());
  return rows[0];
}
