import { invitedAt } from "@/__tests__/engines/invitation";
import { revoke, sql } from "@/__tests__/support/journey";
import type { Journeys } from "./journey";

const refused = "Unauthorized Access";

const expire = (reference: string) =>
  sql(
    `UPDATE links SET "expiresAt" = now() FROM applications a WHERE a.id = "applicationId" AND reference = $1 RETURNING 1`,
    [reference],
  );

/** Links that open nothing. */
export const links: Journeys = {
  async "a link that nobody was sent leads to the 401 page"(browser) {
    await browser.open("/?token=no-such-token");
    await browser.isAt("/un-authorized");
    await browser.sees(refused);
  },

  async "a link that is revoked meanwhile leads there from the form"(browser) {
    const { link, reference } = await invitedAt();
    await browser.open(link);
    await browser.press("Get started");
    await browser.fillStep(1);
    await revoke(reference);
    await browser.press("Next");
    await browser.isAt("/un-authorized");
    await browser.sees(refused);
    await browser.sees("What you typed is kept on this device");
    await browser.open(link);
    await browser.sees(refused);
  },

  async "a link that has expired asks for a fresh one"(browser) {
    const { link, reference } = await invitedAt();
    await expire(reference);
    await browser.open(link);
    await browser.sees(refused);
    await browser.press("Send me a fresh link");
    await browser.sees("If the link was ours, a fresh one is on its way to the number or address we invited.");
  },

  async "after many wrong links no more are looked up, and a good one opens"(browser) {
    const { link } = await invitedAt();
    for (let guess = 0; guess < 25; guess += 1) await fetch(`${browser.line.url}/?token=guess-${guess}`);
    await browser.open("/?token=another-guess");
    await browser.sees(refused);
    await browser.open(link);
    await browser.sees("Get started");
  },
};
