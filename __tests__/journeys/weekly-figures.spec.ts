import { expect } from "@playwright/test";
import { sql, test } from "@/__tests__/support/journey";
import { type MailServer, startMailServer } from "@/__tests__/support/mail-server";
import { startOwnApp } from "@/__tests__/support/own-app";
import type { App } from "@/__tests__/support/processes/app";

const boss = "boss@lender.example";

let mail: MailServer;
let app: App;
test.beforeAll(async () => {
  mail = await startMailServer();
  app = await startOwnApp({ WORKER: "on", SMTP_URL: mail.url, SANDBOX_RECIPIENTS: boss });
});
test.afterAll(async () => {
  await app.end("SIGTERM");
  await mail.stop();
});

// Jest loads ECharts in another way than the build does, so this needs the build.
test("the app sends the weekly figures with a page that shows its charts", async ({ page }) => {
  // Due before every message that other journeys have left.
  await sql(
    `INSERT INTO messages (kind, channel, recipient, "dueAt") VALUES ('weekly-figures', 'email', $1, now() - interval '1 day')`,
    [boss],
  );
  const received = () => mail.envelopes.findIndex(([recipient]) => recipient === boss);
  await expect.poll(received, { timeout: 90_000 }).toBeGreaterThanOrEqual(0);
  const { attachments } = await mail.read(received());
  await page.setContent(new TextDecoder().decode(attachments[0]?.content as ArrayBuffer));
  await expect(page.getByRole("heading", { name: "By week of invitation" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Applications that reached each stage/ })).toBeVisible();
});
