import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import { deskUrl, signIn } from "@/__tests__/support/desk";
import { sql } from "@/__tests__/support/journey";

test("a clerk signs in at the lender's own provider and returns to the page that was asked for", async ({ page }) => {
  await signIn(page, "Casey", "/desk/messages?state=unknown");
  await expect(page).toHaveURL(`${deskUrl()}/desk/messages?state=unknown`);
  await expect(page.getByText("casey.clerk@lender.example (clerk)")).toBeVisible();
});

test("signing out ends the session, for a copy of its cookie too", async ({ page, browser }) => {
  await signIn(page, "Robin");
  const copy = await browser.newContext({ storageState: await page.context().storageState() });
  const copied = await copy.newPage();
  await copied.goto(`${deskUrl()}/desk`);
  await expect(copied.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("You have signed out.")).toBeVisible();
  await copied.goto(`${deskUrl()}/desk`);
  await expect(copied.getByRole("link", { name: "Sign in" })).toBeVisible();
  await copy.close();
});

test("a session ends after 30 minutes without use and after 8 hours in any case", async ({ page }) => {
  for (const change of [`"usedAt" = now() - interval '30 minutes'`, `"startedAt" = now() - interval '8 hours'`]) {
    await signIn(page, "Casey");
    const session = (await page.context().cookies()).find(({ name }) => name === "desk-session");
    const hash = createHash("sha256")
      .update(session?.value ?? "")
      .digest();
    expect(await sql(`UPDATE desk_sessions SET ${change} WHERE hash = $1 RETURNING by`, [hash])).toBeDefined();
    await page.reload();
    await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  }
});

test("an answer of the provider that this browser did not ask for signs nobody in", async ({ page }) => {
  await page.goto(`${deskUrl()}/desk/signed-in?code=forged&state=forged`);
  await expect(page.getByText("That sign-in did not finish. Start it again.")).toBeVisible();
  await page.goto(`${deskUrl()}/desk`);
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
});

test("the desk serves its own pages, files and checks, and none of the applicants'", async ({ request }) => {
  for (const path of ["/", "/home", "/api/v1/user/verify-token", "/api/v1/invitations", "/logo", "/desk/../home"])
    expect((await request.get(`${deskUrl()}${path}`)).status(), path).toBe(404);
  expect((await request.post(`${deskUrl()}/api/v1/user/submit`, { data: {} })).status()).toBe(404);
  for (const path of ["/api/health", "/api/ready"])
    expect((await request.get(`${deskUrl()}${path}`)).status()).toBe(200);
});

test("the applicants' process serves nothing of the desk", async ({ request }) => {
  const app = process.env.APP_URL ?? "";
  for (const path of ["/desk/sign-in/start", "/desk/signed-in"])
    expect((await request.get(`${app}${path}`)).headers().location, path).toBeUndefined();
  expect((await request.post(`${app}/desk`, { headers: { "next-action": "0".repeat(42) } })).status()).toBe(405);
  const page = await (await request.get(`${app}/desk`)).text();
  expect(page).not.toMatch(/Sign in to the desk|Sign out/);
});
