import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { changeOf } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { decide, expire, revoke } from "@/__tests__/support/journey";
import { post, type Stage, saveUpTo, storageRefusals } from "@/__tests__/support/stages";
import { labelOf } from "@/lib/domain/application";
import { statuses } from "@/lib/domain/statuses";
import type { Browser } from "./browser";

export type Journey = (browser: Browser) => Promise<void>;
type Journeys = Record<string, Journey>;

/** Creates an invitation, with the application saved up to this stage or submitted. The link omits the origin. */
async function invitedAt(stage: Stage = 0, source = "") {
  const { token, reference } = await invited({ mobile: "61412345678", email: "ada@example.com" }, { source });
  await saveUpTo(stage, token);
  return { token, reference, link: `/?token=${token}${source && `&source=${source}`}` };
}

/** Opens the form of an application at this stage through its link. */
async function openForm(browser: Browser, stage: Stage) {
  const invitation = await invitedAt(stage);
  await browser.open(invitation.link);
  await browser.open("/home");
  return invitation;
}

const refused = "Unauthorized Access";
const starts = { ba: "Start pre-approval", ia: "Get started", "": "Get started" };

const toSuccess = Object.entries(starts).map(([source, start]): [string, Journey] => [
  `from a link of the source '${source}' to the success page, where Back stays, and to the receipt`,
  async (browser) => {
    const { link, reference } = await invitedAt(0, source);
    await browser.open(link);
    await browser.press(start);
    await browser.fillAll(source);
    await browser.sees("March 1, 2026");
    await browser.press("Submit Application");
    await browser.isAt("/submit-success");
    for (const visit of ["first", "later"]) {
      if (visit === "later") await browser.open("/submit-success");
      await browser.sees(reference);
      await browser.touch();
      await browser.back();
      await browser.sees(reference);
      await browser.isAt("/submit-success");
    }
    await browser.press("Print or save your receipt", "Your receipt", "Harbour Homes");
  },
]);

const withoutStorage = Object.entries(storageRefusals).map(([refusal, script]): [string, Journey] => [
  `with storage that ${refusal}, a visit works from end to end, and the page says that nothing is kept`,
  async (browser) => {
    const { link } = await invitedAt();
    browser.line.before = script;
    await browser.open(link, "This browser isn't saving anything on this device.");
    await browser.press("Get started");
    await browser.fillAll();
    await browser.press("Submit Application");
    await browser.isAt("/submit-success");
    await browser.open("/home", "This browser isn't saving anything on this device");
  },
]);

export const journeys: Journeys = {
  // Without this journey, the others could not distinguish a console without errors from one without a listener.
  async "an error in a page is reported"(browser) {
    browser.line.before = `setTimeout(() => { throw new Error("first") }); console.error("second");`;
    await browser.open("/un-authorized");
    await sleep(300);
    assert.match(browser.line.errors.splice(0).join(" "), /first.*second|second.*first/);
  },

  ...Object.fromEntries([...toSuccess, ...withoutStorage]),

  async "the standalone review submits, and every decision is shown"(browser) {
    const { link, reference } = await invitedAt(3);
    await browser.open(link);
    await browser.open("/review&submit", "Review Your Application");
    await browser.press("Submit Application", statuses.submitted.heading, reference);
    for (const status of ["in-review", "approved", "declined"] as const) {
      await decide(reference, status);
      await browser.open("/", statuses[status].heading);
    }
  },

  async "a save of an application that was submitted elsewhere is refused with a notice"(browser) {
    const { token } = await openForm(browser, 2);
    await browser.fillStep(3);
    await saveUpTo("submitted", token);
    await browser.press("Next", "You've already submitted this application");
    await browser.open("/home", "Application Submitted Successfully!");
  },

  async "a change from elsewhere is shown before it is submitted, also after a lost connection"(browser) {
    const { token, reference } = await openForm(browser, 3);
    await browser.sees("Review your application");
    const { step, data } = changeOf("agencyName");
    await post(`submit-step-${step}`, token, data);
    const notice = "We haven't submitted anything. Check the changes marked in the review, then submit again.";
    await browser.press("Submit Application", notice);
    browser.line.cut();
    await browser.press("Submit Application", "Submission failed: no connection");
    browser.line.mend();
    await browser.press("Submit Application");
    await browser.isAt("/submit-success");
    await browser.sees(reference);
  },

  async "a link revoked while the form is open leads to the 401 page; an expired one offers a fresh one"(browser) {
    const { link, reference } = await openForm(browser, 0);
    await browser.fillStep(1);
    await revoke(reference);
    await browser.press("Next");
    await browser.isAt("/un-authorized");
    await browser.sees("What you typed stays on this device");
    await browser.open(link, refused);
    const expired = await invitedAt();
    await expire(expired.reference);
    await browser.open(expired.link, refused);
    const onItsWay = "If the link was ours, a new one is on its way to the mobile or email we first contacted.";
    await browser.press("Send me a new link", onItsWay);
  },

  async "a valid link opens after many wrong ones, and names the application that was open before"(browser) {
    const [ada, ben] = [await invitedAt(), await invitedAt()];
    await browser.open("/?token=no-such-token", refused);
    for (let guess = 0; guess < 25; guess += 1) await fetch(`${browser.line.url}/?token=guess-${guess}`);
    await browser.open("/?token=another-guess", refused);
    await browser.open(ada.link, "Get started");
    await browser.open(ben.link, `This device was last used for application ${ada.reference}.`);
  },

  async "a save or load that fails by an error, a 503 or a lost network is reported, kept and retried"(browser) {
    await openForm(browser, 0);
    await browser.fillStep(1);
    browser.line.failWith(500, 1);
    await browser.press("Next", "Step 1 submission failed");
    browser.line.failWith(503);
    await browser.press("Next", "Try again in a moment.");
    browser.line.cut();
    await browser.press("Next", "Failed to submit step 1", "Check your connection and try again.");
    browser.line.failWith(503);
    await browser.open("/home", "Failed to load form data");
    browser.line.mend();
    await browser.press("Try again", "Landlord & property details");
    assert.equal(await browser.valueOf(labelOf("firstName")), "Ada");
    // A call that gets a single 503 is retried, and the applicant sees no error.
    browser.line.failWith(503, 1);
    await browser.press("Next", "Agency Details");
  },

  async "once storage was cleared or the device forgotten, the form says what to do, and the link works"(browser) {
    const { link } = await openForm(browser, 1);
    await browser.fillStep(2);
    await browser.run("localStorage.clear()");
    await browser.press("Next", "No token found", "Open the link in our message again.");
    await browser.open("/home", refused);
    await browser.open(link, "We've kept what you saved.");
    await browser.open("/home");
    await browser.press("Not Ada?");
    await browser.press("Forget this device", "This device no longer has your application");
    await browser.open("/home", refused);
    await browser.open(link, "We've kept what you saved.");
  },

  async "without cookies the page says how to turn them on"(browser) {
    browser.line.before = `Object.defineProperty(Document.prototype, "cookie", { get: () => "", set() {} });`;
    await browser.open("/");
    await browser.isAt("/un-authorized");
    await browser.sees("Cookies are turned off", "Turn on cookies for this site");
  },

  async "Next lists missing answers and partial dates, and accepts a decimal comma"(browser) {
    await openForm(browser, 2);
    await browser.type("Current weekly rent", "450,50");
    await browser.type("Lease start date", "0103");
    await browser.press("Next", "There is a problem", "Lease end date is required");
    await browser.sees("Lease start date isn't complete: enter its day, month and year");
    assert.equal(await browser.valueOf("Current weekly rent"), "450.50");
  },

  async "an empty date looks empty until it is focused, with a ring, or chosen"(browser) {
    await openForm(browser, 2);
    const date = await browser.field("Lease start date");
    // In an empty date, WebKit draws today's digits where other browsers draw 'dd'.
    const drawsDigits = await browser.run<boolean>(`return CSS.supports("margin-trim", "block")`);
    const isSeen = async () =>
      !drawsDigits || (await browser.run("return getComputedStyle(arguments[0]).color", date)) !== "rgba(0, 0, 0, 0)";
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
};
