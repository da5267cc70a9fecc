import { randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { expectNoViolations } from "@/__tests__/support/axe";
import { fillStep, heading, next } from "@/__tests__/support/fill-in";
import { answerFreshLinkRequests, expire, type Invitation, invite, sql, test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

const makeCode = () => randomBytes(22).toString("base64url");
const email = "invited@example.com";
const button = (page: Page) => page.getByRole("button", { name: "Send me a new link" });
const sent = (page: Page) =>
  page.getByText("If the link was ours, a new one is on its way to the mobile or email we first contacted.");

const messageOf = ({ reference }: Pick<Invitation, "reference">) =>
  sql(
    `SELECT kind, channel, recipient FROM messages m JOIN applications a ON a.id = m."applicationId" WHERE reference = $1`,
    [reference],
  );

/** Returns everything that the browser keeps of a page outside the page's memory. */
const traces = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie]),
  );

test("a visitor with an expired link requests a fresh one, which goes to the invited contact", async ({ page }) => {
  const invitation = await invite("--mobile", "61412345678", "--email", email);
  await expire(invitation.reference);
  await page.goto(invitation.link);
  await expect(heading(page, "Unauthorized Access")).toBeVisible();
  await button(page).dblclick();
  await expect(sent(page)).toBeVisible();
  await answerFreshLinkRequests();
  expect(await messageOf(invitation)).toEqual({ kind: "fresh-link", channel: "email", recipient: email });
  expect(await traces(page)).not.toContain(invitation.token);
  await expectNoViolations(page, "the 401 page that has asked for a fresh link");
  await page.reload();
  await expect(heading(page, "Unauthorized Access")).toBeVisible();
  await expect(button(page)).toHaveCount(0);
});

test("when a link expires under an open form, the 401 page offers a fresh one", async ({ page }) => {
  const invitation = await invite("--mobile", "61412345678", "--email", email);
  await page.goto(invitation.link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillStep(page, 1);
  await expire(invitation.reference);
  await next(page);
  await expect(page).toHaveURL("/un-authorized");
  await button(page).click();
  await expect(sent(page)).toBeVisible();
  await answerFreshLinkRequests();
  expect(await messageOf(invitation)).toMatchObject({ kind: "fresh-link" });
  await expect(page.getByText(/What you typed stays on this device/)).toBeVisible();
});

/** Stores an invitation that was sent. Returns its code, which stops further messages. */
async function readerOf(recipient: string): Promise<string> {
  const code = makeCode();
  await sql(
    `WITH m AS (INSERT INTO messages (kind, channel, recipient, state) VALUES ('invitation', 'email', $1, 'sent') RETURNING id)
     INSERT INTO message_attempts ("messageId", "stopHash") SELECT id, encode(sha256(convert_to($2, 'UTF8')), 'hex') FROM m RETURNING id`,
    [recipient, code],
  );
  return code;
}

const suppressed = (recipient: string) =>
  sql(
    `SELECT channel FROM suppressions WHERE "addressHash" = encode(sha256(convert_to('email:' || $1, 'UTF8')), 'hex')`,
    [recipient],
  );

test("the recipient of an invitation can stop further ones without a link, by the button alone", async ({ page }) => {
  const reader = `stops-${randomBytes(4).toString("hex")}@example.com`;
  const code = await readerOf(reader);
  const consoleMessages: string[] = [];
  page.on("console", (message) => consoleMessages.push(message.text()));
  await page.goto(`/stop?code=${code}`);
  await expect(heading(page, "Stop invitations and reminders")).toBeVisible();
  expect(await suppressed(reader)).toBeUndefined();
  await page.getByRole("button", { name: "Stop these messages" }).click();
  await expect(page.getByText("We won't send you any more invitations or reminders.")).toBeVisible();
  expect(await suppressed(reader)).toEqual({ channel: "email" });
  expect(consoleMessages).toEqual([]);
});

test("the page that stops messages does not affect the application on the device", async ({ page }) => {
  const { token } = await openAt(page, 0);
  await expect(page.getByRole("link", { name: "Get started" })).toBeVisible();
  const calls: string[] = [];
  page.on("request", (request) => request.url().includes("/api/") && calls.push(request.url()));
  await page.goto(`/stop?code=${makeCode()}`);
  await expect(page.getByRole("button", { name: "Stop these messages" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(calls).toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem("auth_token"))).toBe(token);
});

test("without scripts the page that stops messages says whom to contact", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.APP_URL });
  const page = await context.newPage();
  await page.goto(`/stop?code=${makeCode()}`);
  await expect(page.getByText("Call or email us and we'll stop the messages for you.")).toBeVisible();
  await context.close();
});
