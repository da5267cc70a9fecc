import assert from "node:assert/strict";
import { invite, revoke } from "@/__tests__/support/journey";
import { invitedAtStage } from "@/__tests__/support/stages";
import { labelOf } from "@/lib/domain/application";
import type { Browser } from "./browser";

type Journey = (browser: Browser) => Promise<void>;

const mobile = ["--mobile", "61412345678"];
const saved = "Step 1 submission failed";

/** One for each outcome, and what the engines differ in. */
export const journeys: Record<string, Journey> = {
  async "from the link to success, where Back stays once the page was touched, also on a later visit"(browser) {
    const { link, reference } = await invite(...mobile);
    await browser.open(link);
    await browser.press("Get started");
    for (const step of [1, 2, 3] as const) {
      await browser.fillStep(step);
      await browser.press("Next");
    }
    await browser.sees("Review your application");
    await browser.sees("March 1, 2026");
    await browser.press("Submit Application");
    await browser.isAt("/submit-success");
    await browser.sees(reference);
    for (const visit of ["first", "later"]) {
      if (visit === "later") await browser.open(`${process.env.APP_URL}/submit-success`);
      await browser.sees(reference);
      await browser.touch();
      await browser.back();
      await browser.sees(reference);
      await browser.isAt("/submit-success");
    }
    await browser.hasNoErrors();
  },

  async "a link that is not good leads to the 401 page"(browser) {
    await browser.open(`${process.env.APP_URL}/?token=no-such-token`);
    await browser.isAt("/un-authorized");
    await browser.sees("Unauthorized Access");
    await browser.hasNoErrors();
  },

  async "a link that is revoked meanwhile leads there from the form"(browser) {
    const { link, reference } = await invite(...mobile);
    await browser.open(link);
    await browser.press("Get started");
    await browser.fillStep(1);
    await revoke(reference);
    await browser.press("Next");
    await browser.sees("Unauthorized Access");
  },

  async "a save that fails is told, and goes through when it is tried again"(browser) {
    const { link } = await invite(...mobile);
    await browser.open(link);
    await browser.press("Get started");
    await browser.fillStep(1);
    await browser.failOnce();
    await browser.press("Next");
    await browser.sees(saved);
    assert.equal(await browser.valueOf(labelOf("firstName")), "Ada");
    await browser.press("Next");
    await browser.fillStep(2);
    await browser.hasNoErrors();
  },

  async "an amount with a decimal comma is that amount"(browser) {
    const { link } = await invitedAtStage(2);
    await browser.open(link);
    await browser.open(`${process.env.APP_URL}/home`);
    await browser.type("Current weekly rent", "450,50");
    await browser.press("Next");
    assert.equal(await browser.valueOf("Current weekly rent"), "450.50");
    await browser.sees("Lease start date is required");
  },

  async "a date that has the focus shows it, and an empty one stands on an opaque background"(browser) {
    const { link } = await invitedAtStage(2);
    await browser.open(link);
    await browser.open(`${process.env.APP_URL}/home`);
    const date = await browser.field("Lease start date");
    const look = `const [input] = arguments; input.focus();
      const { outlineStyle, outlineWidth } = getComputedStyle(input.parentElement);
      return [outlineStyle, outlineWidth, getComputedStyle(input).backgroundColor]`;
    assert.deepEqual(await browser.run(look, date), ["solid", "3px", "rgb(255, 255, 255)"]);
  },

  async "a date that is half typed is asked to be finished"(browser) {
    const { link } = await invitedAtStage(2);
    await browser.open(link);
    await browser.open(`${process.env.APP_URL}/home`);
    await browser.typeInParts("Lease start date", "0103");
    await browser.press("Next");
    await browser.sees("Lease start date is not complete: enter its day, month and year");
    await browser.sees("Lease end date is required");
  },
};
