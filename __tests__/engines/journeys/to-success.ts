import { invitedAt } from "@/__tests__/engines/invitation";
import { decide } from "@/__tests__/support/journey";
import { standings } from "@/lib/domain/standing";
import type { Journeys } from "./journey";

const starts = { ba: "Start pre-approval", ia: "Get started", "": "Get started" };

const bySource = Object.entries(starts).map(([source, start]): [string, Journeys[string]] => [
  `from a link ${source ? `of source ${source}` : "without a source"} to success, where Back stays, and the receipt`,
  async (browser) => {
    const { link, reference } = await invitedAt(0, source);
    await browser.open(link);
    await browser.press(start);
    await browser.fillAll(source);
    await browser.sees("March 1, 2026");
    await browser.press("Submit Application");
    for (const visit of ["first", "later"]) {
      if (visit === "later") await browser.open("/submit-success");
      await browser.isAt("/submit-success");
      await browser.sees(reference);
      await browser.touch();
      await browser.back();
      await browser.sees(reference);
      await browser.isAt("/submit-success");
    }
    await browser.press("Print or save your receipt");
    await browser.sees("Your receipt");
    await browser.sees("Harbour Homes");
  },
]);

/** Applications that get submitted, and what became of them. */
export const toSuccess: Journeys = {
  ...Object.fromEntries(bySource),

  async "what was decided is shown: in review, approved, declined"(browser) {
    const { link, reference } = await invitedAt("submitted");
    await browser.open(link);
    await browser.sees(standings.submitted.heading);
    for (const status of ["in-review", "approved", "declined"] as const) {
      await decide(reference, status);
      await browser.open("/");
      await browser.sees(standings[status].heading);
    }
  },

  async "the standalone review submits"(browser) {
    const { link, reference } = await invitedAt(3);
    await browser.open(link);
    await browser.open("/review&submit");
    await browser.sees("Review Your Application");
    await browser.press("Submit Application");
    await browser.sees(reference);
    await browser.sees(standings.submitted.heading);
  },
};
