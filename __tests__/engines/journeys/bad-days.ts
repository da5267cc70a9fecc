import assert from "node:assert/strict";
import type { Browser } from "@/__tests__/engines/browser";
import { invitedAt } from "@/__tests__/engines/invitation";
import { labelOf } from "@/lib/domain/application";
import type { Journeys } from "./journey";

async function fillFirstStep(browser: Browser): Promise<void> {
  const { link } = await invitedAt();
  await browser.open(link);
  await browser.press("Get started");
  await browser.fillStep(1);
}

async function goOn(browser: Browser): Promise<void> {
  assert.equal(await browser.valueOf(labelOf("firstName")), "Ada");
  browser.line.mend();
  await browser.press("Next");
  await browser.sees("Agency Details");
}

/** What fails, is told, and goes through once it is over. */
export const badDays: Journeys = {
  async "a save that fails once is told, and goes through when it is tried again"(browser) {
    await fillFirstStep(browser);
    browser.line.failWith(500, 1);
    await browser.press("Next");
    await browser.sees("Step 1 submission failed");
    await goOn(browser);
  },

  async "a server that is away is tried again, then told of, and saves once it is back"(browser) {
    await fillFirstStep(browser);
    browser.line.failWith(503);
    await browser.press("Next");
    await browser.sees("Try again in a moment.");
    await goOn(browser);
  },

  async "a server that is away for a moment is not told of"(browser) {
    await fillFirstStep(browser);
    browser.line.failWith(503, 1);
    await browser.press("Next");
    await browser.sees("Agency Details");
  },

  async "without a network what was typed is kept, also over a reload, and saved once it is back"(browser) {
    await fillFirstStep(browser);
    browser.line.cut();
    await browser.press("Next");
    await browser.sees("Failed to submit step 1");
    await browser.sees("Check your connection and try again.");
    browser.line.mend();
    await browser.open("/home");
    await goOn(browser);
  },

  async "a submission without a network is made once it is back"(browser) {
    const { link, reference } = await invitedAt(3);
    await browser.open(link);
    await browser.open("/home");
    await browser.sees("Review your application");
    browser.line.cut();
    await browser.press("Submit Application");
    await browser.sees("Submission failed: no connection");
    browser.line.mend();
    await browser.press("Submit Application");
    await browser.isAt("/submit-success");
    await browser.sees(reference);
  },

  async "an application that cannot be loaded says so, and another try loads it"(browser) {
    const { link } = await invitedAt();
    await browser.open(link);
    await browser.sees("Get started");
    browser.line.failWith(503);
    await browser.open("/home");
    await browser.sees("Failed to load form data");
    browser.line.mend();
    await browser.press("Try again");
    await browser.sees("Landlord & property details");
  },
};
