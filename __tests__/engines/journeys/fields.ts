import assert from "node:assert/strict";
import type { Browser } from "@/__tests__/engines/browser";
import { invitedAt } from "@/__tests__/engines/invitation";
import type { Journeys } from "./journey";

async function openStepThree(browser: Browser): Promise<void> {
  const { link } = await invitedAt(2);
  await browser.open(link);
  await browser.open("/home");
}

/** What engines draw, type and refuse in their own way. */
export const fields: Journeys = {
  async "Next lists what is missing"(browser) {
    const { link } = await invitedAt();
    await browser.open(link);
    await browser.press("Get started");
    await browser.sees("Landlord & property details");
    await browser.press("Next");
    await browser.sees("There is a problem");
    await browser.sees("First name is required");
  },

  async "an amount with a decimal comma is that amount"(browser) {
    await openStepThree(browser);
    await browser.type("Current weekly rent", "450,50");
    await browser.press("Next");
    assert.equal(await browser.valueOf("Current weekly rent"), "450.50");
    await browser.sees("Lease start date is required");
  },

  async "an empty date looks empty until it has the focus, which it shows, or is chosen"(browser) {
    await openStepThree(browser);
    const date = await browser.field("Lease start date");
    // WebKit draws today's digits where the others draw 'dd'.
    const isSeen = () =>
      browser.run<boolean>(
        `return !CSS.supports("margin-trim", "block") || getComputedStyle(arguments[0]).color !== "rgba(0, 0, 0, 0)"`,
        date,
      );
    const drawsDigits = await browser.run<boolean>(`return CSS.supports("margin-trim", "block")`);
    assert.equal(await isSeen(), !drawsDigits);
    const look = `const [input] = arguments; input.focus();
      const { outlineStyle, outlineWidth } = getComputedStyle(input.parentElement);
      return [outlineStyle, outlineWidth, getComputedStyle(input).backgroundColor]`;
    assert.deepEqual(await browser.run(look, date), ["solid", "3px", "rgb(255, 255, 255)"]);
    assert.equal(await isSeen(), true);
    await browser.pick("Lease start date", "2026-03-01");
    await browser.run("arguments[0].blur()", date);
    await browser.sees("March 1, 2026");
    assert.equal(await isSeen(), true);
  },

  async "a date that is half typed is asked to be finished"(browser) {
    await openStepThree(browser);
    await browser.typeInParts("Lease start date", "0103");
    await browser.press("Next");
    await browser.sees("Lease start date is not complete: enter its day, month and year");
    await browser.sees("Lease end date is required");
  },
};
