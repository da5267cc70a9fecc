import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { badDays } from "./bad-days";
import { devices } from "./devices";
import { elsewhere } from "./elsewhere";
import { fields } from "./fields";
import type { Journeys } from "./journey";
import { links } from "./links";
import { toSuccess } from "./to-success";

/** Without it, the others could not tell a console without errors from one that nobody hears. */
const heard: Journeys = {
  async "an error in a page is heard"(browser) {
    browser.line.before = `setTimeout(() => { throw new Error("first") }); console.error("second");`;
    await browser.open("/un-authorized");
    await sleep(300);
    const words = browser.line.heard.splice(0).join(" ");
    assert.match(words, /first/);
    assert.match(words, /second/);
  },
};

export const journeys: Journeys = { ...heard, ...toSuccess, ...elsewhere, ...links, ...badDays, ...devices, ...fields };
