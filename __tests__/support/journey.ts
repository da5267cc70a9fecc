import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { test as base, expect } from "@playwright/test";
import { program } from "@/__tests__/support/program";
import type { StatusAfterSubmission } from "@/lib/domain/statuses";
import { withConnection } from "@/lib/server/db/connection";

/** A failed request is a response of the product and not an error of the page, although the browser logs it as one. */
const isRequest = (text: string) => text.startsWith("Failed to load resource");

/** A browser test of the product. Fails on any uncaught or logged error that the test does not take out of `errors`. */
export const test = base.extend<{ errors: string[] }>({
  baseURL: process.env.APP_URL,
  errors: [
    async ({ context }, use) => {
      const errors: string[] = [];
      context.on("weberror", (error) => errors.push(error.error().message));
      context.on("console", (message) => {
        if (message.type() === "error" && !isRequest(message.text())) errors.push(message.text());
      });
      await use(errors);
      expect(errors).toEqual([]);
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

function startInviter() {
  const child = spawn(process.execPath, program("__tests__/support/inviter.ts"), {
    // Fresh links go by email only where email is set up.
    env: { ...process.env, SMTP_URL: "smtp://127.0.0.1:9" },
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

/** Answers requests for fresh links, as a worker does every second. */
export async function answerFreshLinkRequests(): Promise<void> {
  await invite();
}

/** Revokes every link of an application and issues a new one. */
export async function reissue(reference: string): Promise<Pick<Invitation, "link">> {
  const command = program("lib/cli/invitations/links.ts", "reissue", reference, "--json");
  return JSON.parse((await promisify(execFile)(process.execPath, command)).stdout);
}

const updateLinks = (change: string, reference: string) =>
  sql(
    `UPDATE links SET ${change} FROM applications a WHERE a.id = "applicationId" AND reference = $1 RETURNING links.id`,
    [reference],
  );

export const revoke = (reference: string) => updateLinks(`"revokedAt" = now()`, reference);

export const expire = (reference: string) => updateLinks(`"expiresAt" = now()`, reference);

export const decide = (reference: string, status: StatusAfterSubmission) =>
  sql(`UPDATE applications SET status = $2::"ApplicationStatus" WHERE reference = $1 RETURNING id`, [
    reference,
    status.replace("-", "_"),
  ]);

/** Runs a statement as the database's owner, and returns its first row. */
export async function sql(text: string, values: unknown[] = []): Promise<Record<string, unknown> | undefined> {
  const { rows } = await withConnection(process.env.TEST_OWNER_URL ?? "", (client) => client.query(text, values));
  return rows[0];
}
