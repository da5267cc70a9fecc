import { connect } from "node:net";
import { expect, test } from "@playwright/test";
import { deskUrl, signIn } from "@/__tests__/support/desk";
import { decide, invite, sql } from "@/__tests__/support/journey";
import { startDesk } from "@/__tests__/support/processes/desk";
import { join, startTcpServer } from "@/__tests__/support/tcp-server";

test("a clerk finds a person by half a name and takes the application, which a colleague takes over", async ({
  page,
  browser,
}) => {
  const name = `Zephyr${Date.now()}`;
  const { reference } = await invite("--mobile", "61412000882", "--first-name", name, "--last-name", "Findable");
  await signIn(page, "Casey");
  await page.getByRole("searchbox", { name: "Search" }).fill(name.slice(0, 15));
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: reference }).first().click();
  await expect(page).toHaveURL(`${deskUrl()}/desk/${reference}`);
  await page.getByRole("button", { name: "Take", exact: true }).click();
  await expect(page.getByRole("button", { name: "Release", exact: true })).toBeVisible();
  expect(await sql(`SELECT "takenBy" FROM applications WHERE reference = $1`, [reference])).toEqual({
    takenBy: "casey.clerk@lender.example",
  });
  const colleague = await browser.newPage();
  await signIn(colleague, "Robin", `/desk/${reference}`);
  await expect(colleague.getByText("casey.clerk@lender.example is handling this.")).toBeVisible();
  await colleague.getByRole("button", { name: "Take over", exact: true }).click();
  await expect(colleague.getByText("You are handling this.")).toBeVisible();
  await page.getByRole("button", { name: "Release", exact: true }).click();
  await expect(page.getByText("robin.approver@lender.example has taken it in the meantime.")).toBeVisible();
  await colleague.close();
});

test("an approver approves an application after seeing what the applicant gets, and undoes it", async ({ page }) => {
  const { reference } = await invite(
    "--mobile",
    "61412000883",
    "--first-name",
    "Petra",
    "--email",
    "petra@mail.example",
  );
  await sql(`UPDATE applications SET "submittedAt" = now() WHERE reference = $1 RETURNING id`, [reference]);
  await decide(reference, "in-review");
  await signIn(page, "Robin", `/desk/${reference}`);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/desk/${reference}/status/approved`));
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect
    .poll(async () => (await sql(`SELECT status FROM applications WHERE reference = $1`, [reference]))?.status)
    .toBe("approved");
  await page.goto(`${deskUrl()}/desk/${reference}`);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect
    .poll(async () => (await sql(`SELECT status FROM applications WHERE reference = $1`, [reference]))?.status)
    .toBe("in_review");
});

test("while the database is away, a page says so in the desk's own look, and works again afterwards", async ({
  page,
}) => {
  const database = new URL(process.env.OPERATIONS_DATABASE_URL ?? "");
  const [port, host] = [Number(database.port), database.hostname];
  const serve = (client: Parameters<typeof join>[0]) => join(client, connect(port, host));
  const relay = await startTcpServer(serve);
  database.port = String(relay.port);
  const desk = await startDesk(database.href, { OPERATIONS_DATABASE_URL: database.href });
  await signIn(page, "Casey", "/desk", desk.url);
  relay.stop();
  await page.goto(`${desk.url}/desk`);
  await expect(page.getByRole("heading", { name: "Sorry, something went wrong on our side" })).toBeVisible();
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("banner")).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  const again = await startTcpServer(serve, relay.port);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Applications" })).toBeVisible();
  await desk.end("SIGTERM");
  again.stop();
});
