import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { test as base, expect } from "@playwright/test";
import { Client } from "pg";

/** A journey through the product that start-product.ts started. It fails where a page throws an error that nobody catches. */
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

/** Issues a link as operations do: `npm run invite -- --json` with these flags. */
export async function invite(...flags: string[]): Promise<Invitation> {
  const command = ["--conditions=react-server", "--import", "tsx", "lib/cli/invite.ts", "--json", ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  return JSON.parse(stdout);
}

/** What the lender finds in the database, in the first row of this statement. */
export async function sql(text: string, values: unknown[] = []): Promise<Record<string, unknown> | undefined> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query(text, values).finally(() => client.end());
  return rows[0];
}
