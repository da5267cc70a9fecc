import type { Page } from "@playwright/test";
import { on } from "@/__tests__/lab/promises/support/new-server";
import type { World } from "@/__tests__/lab/promises/support/world";
import { signIn } from "@/__tests__/support/desk";
import { invited } from "@/__tests__/support/invited";
import { submit } from "@/__tests__/support/processes/call";
import { startDesk } from "@/__tests__/support/processes/desk";
import { usersOf } from "@/__tests__/support/processes/postgres";
import { until } from "@/__tests__/support/until";
import { defaultBrand } from "@/lib/brand";
import { createDemoApplications } from "@/lib/development/demo-applications";
import { openMailbox } from "@/lib/development/mailbox";
import { withConnection } from "@/lib/server/db/connection";
import { replaceSettings } from "@/lib/server/settings";

/**
 * Starts the desk, an app that sends, and a mailbox, with the demo's applications in every state and ten more to decide. Each
 * person has a browser of their own.
 */
export async function openDesk(world: World) {
  const owner = await world.postgres.createDatabase("desk_week");
  const { app: database, operations } = await usersOf(owner);
  const mailbox = await openMailbox(defaultBrand);
  const before = { ...process.env };
  Object.assign(process.env, mailbox.settings);
  replaceSettings();
  world.after(() => {
    mailbox.close();
    process.env = before;
    replaceSettings();
  });
  const settings = { ...mailbox.settings, RATE_LIMIT_FACTOR: "100" };
  const app = await world.start({ database, settings });
  const desk = await startDesk(operations, { ...settings, APP_URL: app.url, OPERATIONS_DATABASE_URL: operations });
  world.after(() => desk.end("SIGTERM"));
  const undecided: string[] = [];
  await on(operations, async () => {
    await createDemoApplications(app.url);
    for (let n = 0; n < 10; n += 1) {
      const { token, reference } = await invited({ mobile: `6149157020${n}`, email: `undecided${n}@example.com` });
      await submit(app, token);
      undecided.push(reference);
    }
  });
  const sql = (text: string, values: unknown[] = []) =>
    withConnection(owner, async (client) => (await client.query(text, values)).rows);
  const people = await sql(
    `SELECT "firstName" || ' ' || "lastName" AS name, reference, "invitedMobile" AS mobile FROM applications`,
  );
  const known = (name: string): { reference: string; mobile: string } => people.find((person) => person.name === name);
  const newPage = async () => {
    const page = await (await world.device()).newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    page.setDefaultTimeout(15_000);
    return page;
  };
  return {
    undecided,
    casey: await newPage(),
    robin: await newPage(),
    signIn: (page: Page, person: "Casey" | "Robin") => signIn(page, person, "/desk", desk.url),
    referenceOf: (name: string) => known(name).reference,
    mobileOf: (name: string) => known(name).mobile,
    /** Waits until this address has got so many emails. */
    async untilMailed(address: string, count = 1): Promise<void> {
      const isThere = async () => {
        const messages: { to: string[] }[] = await (await fetch(`${mailbox.url}/messages.json`)).json();
        return messages.filter(({ to }) => to.includes(address)).length >= count;
      };
      await until(isThere, 30_000, `${address} did not get ${count} emails`);
    },
    /** Lets a provider's fault have failed an email that was sent to this address. Returns the message's number. */
    async failOne(address: string): Promise<string> {
      const [{ number }] = await sql(
        `UPDATE messages SET state = 'failed', error = 'HTTP 500', "sentAt" = NULL
         WHERE number = (SELECT min(number) FROM messages WHERE recipient = $1 AND state = 'sent') RETURNING number`,
        [address],
      );
      return String(number);
    },
  };
}
