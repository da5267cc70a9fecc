import { invitedAt } from "@/__tests__/engines/invitation";
import type { Journeys } from "./journey";

/** How a browser refuses storage. */
const refusals = {
  throws: `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("No", "SecurityError") } });`,
  "is null": `Object.defineProperty(window, "localStorage", { get: () => null });`,
  "takes nothing": `Storage.prototype.setItem = () => { throw new DOMException("Full", "QuotaExceededError") };`,
};

const withoutStorage = Object.entries(refusals).map(([refusal, script]): [string, Journeys[string]] => [
  `storage that ${refusal}, as in some in-app browsers: the link works from end to end, and the page says that nothing is kept`,
  async (browser) => {
    const { link, reference } = await invitedAt();
    browser.line.before = script;
    await browser.open(link);
    await browser.sees("This browser keeps nothing on this device.");
    await browser.press("Get started");
    await browser.fillAll();
    await browser.press("Submit Application");
    await browser.isAt("/submit-success");
    await browser.sees(reference);
    await browser.open("/home");
    await browser.sees("This browser keeps nothing on this device");
  },
]);

/** What a browser keeps, loses and is told to forget. */
export const devices: Journeys = {
  ...Object.fromEntries(withoutStorage),

  async "storage that is emptied under an open form, as after seven days: the page says what to do, and the link works again"(
    browser,
  ) {
    const { link } = await invitedAt(1);
    await browser.open(link);
    await browser.open("/home");
    await browser.fillStep(2);
    await browser.run("localStorage.clear()");
    await browser.press("Next");
    await browser.sees("No token found");
    await browser.sees("Open the link in your message again.");
    await browser.open("/home");
    await browser.sees("Unauthorized Access");
    await browser.open(link);
    await browser.sees("Your answers are saved.");
  },

  async "without cookies the page says so, and what to do"(browser) {
    browser.line.before = `Object.defineProperty(Document.prototype, "cookie", { get: () => "", set() {} });`;
    await browser.open("/");
    await browser.isAt("/un-authorized");
    await browser.sees("Cookies are switched off");
    await browser.sees("switch cookies on for this site");
  },

  async "'Forget this device' forgets, and the link opens again"(browser) {
    const { link } = await invitedAt(1);
    await browser.open(link);
    await browser.open("/home");
    await browser.sees("Not you?");
    await browser.press("Forget this device");
    await browser.press("Forget it all");
    await browser.sees("This device has forgotten you");
    await browser.open("/home");
    await browser.sees("Unauthorized Access");
    await browser.open(link);
    await browser.sees("Your answers are saved.");
  },
};
