import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { heading, submit } from "@/__tests__/support/fill-in";
import { sql, test } from "@/__tests__/support/journey";
import { program } from "@/__tests__/support/program";
import { openAt } from "@/__tests__/support/stages";

test("after submission, the receipt shows its leaf in the evidence log, and its proof can be downloaded", async ({
  page,
}) => {
  const { reference } = await openAt(page, 3, "/home");
  await submit(page);
  await page.waitForURL("**/submit-success");
  const worker = spawn(process.execPath, program("lib/cli/messages/worker.ts"), {
    env: { ...process.env, DATABASE_URL: process.env.TEST_OWNER_URL },
    stdio: "ignore",
  });
  try {
    const leaves = `SELECT count(*)::int AS count FROM evidence_log l JOIN events e ON e.id = l."eventId"
      JOIN applications a ON a.id = e."applicationId" WHERE a.reference = $1`;
    await expect.poll(async () => (await sql(leaves, [reference]))?.count, { timeout: 90_000 }).toBe(1);
  } finally {
    worker.kill();
  }
  await page.goto("/receipt");
  await expect(heading(page, "Proof of this receipt")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the proof as a file" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`receipt-${reference}.json`);
  const receipt = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(receipt.record.reference).toBe(reference);
  const proof = page.getByText(JSON.stringify({ leaf: receipt.leaf, head: receipt.first.head }));
  await expect(proof).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(proof).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Show the technical proof" }).click();
  await expect(proof).toBeVisible();
});
