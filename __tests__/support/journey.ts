import { execFile } from "node:child_process";
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

async function run(file: string, ...flags: string[]): Promise<string> {
  const command = ["--conditions=react-server", "--import", "tsx", file, ...flags];
  return (await promisify(execFile)(process.execPath, command)).stdout;
}

/** Runs `npm run invite -- --json` with these flags. */
export async function invite(...flags: string[]): Promise<Invitation> {
  return JSON.parse(await run("lib/cli/invite.ts", "--json", ...flags));
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
