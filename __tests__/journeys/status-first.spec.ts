import { expect } from "@playwright/test";
import { heading } from "@/__tests__/support/fill-in";
import { decide, test } from "@/__tests__/support/journey";
import { invitedAtStage } from "@/__tests__/support/stages";
import { type StatusAfterSubmission, statuses } from "@/lib/domain/statuses";

const advertising =
  /pre-approved|could access|unlock future|get started|start pre-approval|how it works|sample invoice|up to \$[\d,]+|flexible/i;
/** Each status with the source of the link. The screen of a submitted application knows no source. */
const opened: [StatusAfterSubmission, source: string][] = [
  ["submitted", "ba"],
  ["declined", "ia"],
];

test("after submission and after a decline, a link shows the status and never the offer", async ({ page, browser }) => {
  // Record every text that `main` contains at any time.
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => seen.push(document.querySelector("main")?.textContent ?? "")).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  const everShown = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen.join("\n"));
  const withoutScripts = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.APP_URL });
  const rendered = await withoutScripts.newPage();
  const { link, reference } = await invitedAtStage("submitted");
  for (const [status, source] of opened) {
    if (status !== "submitted") await decide(reference, status);
    const title = page.getByRole("heading", { level: 1 });
    // Opened by the link, the page is rendered on the server.
    const fromSource = `${link}&source=${source}`;
    await page.goto(fromSource);
    await expect(title).toHaveText(statuses[status].heading);
    await expect(page.getByText(reference)).toBeVisible();
    expect(await everShown()).not.toMatch(advertising);
    await rendered.goto(fromSource);
    await expect(heading(rendered, statuses[status].heading)).toBeVisible();
    await expect(rendered.getByRole("main")).not.toContainText(advertising);
    // Opened by the stored token, the application is verified in the browser.
    for (const path of ["/", "/landing"]) {
      await page.goto(path);
      await expect(title).toHaveText(statuses[status].heading);
      expect(await everShown()).not.toMatch(advertising);
    }
  }
  // The other pages show a declined application without the benefits.
  for (const path of ["/home", "/review&submit", "/submit-success"]) {
    await page.goto(path);
    await expect(heading(page, statuses.declined.heading)).toBeVisible();
    await expect(page.getByText("No impact on credit score")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "What you can do:" })).toBeVisible();
  }
  await page.getByRole("link", { name: /home$/ }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(statuses.declined.heading);
  await withoutScripts.close();
});
