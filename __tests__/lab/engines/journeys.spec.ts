import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@playwright/test";
import { changeOf } from "@/__tests__/support/answers";
import { decide, expire, revoke } from "@/__tests__/support/journey";
import { reportFigure, size } from "@/__tests__/support/size";
import { invitedAtStage, post, type Stage, saveUpTo, storageRefusals } from "@/__tests__/support/stages";
import { labelOf } from "@/lib/domain/application";
import { statuses } from "@/lib/domain/statuses";
import { type Browser, test } from "./browser";

/** Opens the form of an application at this stage through its link. */
async function openForm(landlord: Browser, stage: Stage) {
  const invitation = await invitedAtStage(stage);
  await landlord.open(invitation.link);
  await landlord.open("/home");
  return invitation;
}

const refused = "Unauthorized Access";
const starts = { ba: "Start pre-approval", ia: "Get started", "": "Get started" };

for (const [source, start] of Object.entries(starts))
  test(`from a link of the source '${source}' to the success page, where Back stays, and to the receipt`, async ({
    landlord,
  }, { project }) => {
    const { link, reference } = await invitedAtStage(0, "--source", source);
    await landlord.open(link);
    await landlord.press(start);
    await landlord.fillAll(source);
    await landlord.sees("March 1, 2026");
    await landlord.press("Submit Application");
    await landlord.isAt("/submit-success");
    for (const visit of ["first", "later"]) {
      if (visit === "later") await landlord.open("/submit-success");
      await landlord.sees(reference);
      await landlord.touch();
      await landlord.back();
      await landlord.sees(reference);
      await landlord.isAt("/submit-success");
    }
    await landlord.press("Print or save your receipt", "Your receipt", "Harbour Homes");
    reportFigure(56, `from the link to the receipt in ${project.name} without an error in the console`);
  });

for (const [refusal, script] of Object.entries(storageRefusals))
  test(`with storage that ${refusal}, a visit works from end to end, and the page says that nothing is kept`, async ({
    landlord,
  }) => {
    const { link } = await invitedAtStage(0);
    landlord.line.before = script;
    await landlord.open(link, "This browser isn't saving anything on this device.");
    await landlord.press("Get started");
    await landlord.fillAll();
    await landlord.press("Submit Application");
    await landlord.isAt("/submit-success");
    await landlord.open("/home", "This browser isn't saving anything on this device");
  });

// Without this journey, the others could not distinguish a console without errors from one without a listener.
test("an error in a page is reported", async ({ landlord }) => {
  landlord.line.before = `setTimeout(() => { throw new Error("first") }); console.error("second");`;
  await landlord.open("/un-authorized");
  await sleep(300);
  expect(landlord.line.errors.splice(0).join(" ")).toMatch(/first.*second|second.*first/);
});

test("the standalone review submits, and every decision is shown", async ({ landlord }) => {
  const { link, reference } = await invitedAtStage(3);
  await landlord.open(link);
  await landlord.open("/review&submit", "Review Your Application");
  await landlord.press("Submit Application", statuses.submitted.heading, reference);
  for (const status of ["in-review", "approved", "declined", "withdrawn", "paid"] as const) {
    await decide(reference, status);
    await landlord.open("/", statuses[status].heading);
  }
});

test("a save of an application that was submitted elsewhere is refused with a notice", async ({ landlord }) => {
  const { token } = await openForm(landlord, 2);
  await landlord.fillStep(3);
  await saveUpTo("submitted", token);
  await landlord.press("Next", "You've already submitted this application");
  await landlord.open("/home", "Application Submitted Successfully!");
});

test("a change from elsewhere is shown before it is submitted, also after a lost connection", async ({ landlord }) => {
  const { token, reference } = await openForm(landlord, 3);
  await landlord.sees("Review your application");
  const { step, data } = changeOf("agencyName");
  await post(`submit-step-${step}`, token, data);
  const notice = "We haven't submitted anything. Check the changes marked in the review, then submit again.";
  await landlord.press("Submit Application", notice);
  landlord.line.cut();
  await landlord.press("Submit Application", "Submission failed: no connection");
  landlord.line.mend();
  await landlord.press("Submit Application");
  await landlord.isAt("/submit-success");
  await landlord.sees(reference);
});

test("a link revoked while the form is open leads to the 401 page; an expired one offers a fresh one", async ({
  landlord,
}) => {
  const { link, reference } = await openForm(landlord, 0);
  await landlord.fillStep(1);
  await revoke(reference);
  await landlord.press("Next");
  await landlord.isAt("/un-authorized");
  await landlord.sees("What you typed stays on this device");
  await landlord.open(link, refused);
  const expired = await invitedAtStage(0, "--email", "ada@example.com");
  await expire(expired.reference);
  await landlord.open(expired.link, refused);
  const onItsWay = "If the link was ours, a new one is on its way to the mobile or email we first contacted.";
  await landlord.press("Send me a new link", onItsWay);
});

test("a valid link opens after many wrong ones, and names the application that was open before", async ({
  landlord,
}) => {
  const [ada, ben] = [await invitedAtStage(0), await invitedAtStage(0)];
  await landlord.open("/?token=no-such-token", refused);
  for (let guess = 0; guess < size(25, 500); guess += 1) await fetch(`${landlord.line.url}/?token=guess-${guess}`);
  await landlord.open("/?token=another-guess", refused);
  await landlord.open(ada.link, "Get started");
  await landlord.open(ben.link, `Application ${ada.reference} isn't lost: its own link opens it.`);
});

test("a save or load that fails by an error, a 503 or a lost network is reported, kept and retried", async ({
  landlord,
}) => {
  await openForm(landlord, 0);
  await landlord.fillStep(1);
  landlord.line.failWith(500, 1);
  await landlord.press("Next", "Step 1 submission failed");
  landlord.line.failWith(503);
  await landlord.press("Next", "Try again in a moment.");
  landlord.line.cut();
  await landlord.press("Next", "Failed to submit step 1", "Check your connection and try again.");
  landlord.line.failWith(503);
  await landlord.open("/home", "Failed to load form data");
  landlord.line.mend();
  await landlord.press("Try again", "Landlord & property details");
  expect(await landlord.valueOf(labelOf("firstName"))).toBe("Ada");
  // A call that gets a single 503 is retried, and the applicant sees no error.
  landlord.line.failWith(503, 1);
  await landlord.press("Next", "Agency Details");
});

test("once storage was cleared or the device forgotten, the form says what to do, and the link works", async ({
  landlord,
}) => {
  const { link } = await openForm(landlord, 1);
  await landlord.fillStep(2);
  await landlord.run("localStorage.clear()");
  await landlord.press("Next", "No token found", "Open the link in our message again.");
  await landlord.open("/home", refused);
  await landlord.open(link, "We've kept what you saved.");
  await landlord.open("/home");
  await landlord.press("Not Ada?");
  await landlord.press("Forget this device", "This device no longer has your application");
  await landlord.open("/home", refused);
  await landlord.open(link, "We've kept what you saved.");
});

test("without cookies the page says how to turn them on", async ({ landlord }) => {
  landlord.line.before = `Object.defineProperty(Document.prototype, "cookie", { get: () => "", set() {} });`;
  await landlord.open("/");
  await landlord.isAt("/un-authorized");
  await landlord.sees("Cookies are turned off", "Turn on cookies for this site");
});

test("Next lists missing answers and partial dates, and accepts a decimal comma", async ({ landlord }) => {
  await openForm(landlord, 2);
  await landlord.type("Current weekly rent", "450,50");
  await landlord.type("Lease start date", "0103");
  await landlord.press("Next", "There is a problem", "Lease end date is required");
  await landlord.sees("Lease start date isn't complete: enter its day, month and year");
  expect(await landlord.valueOf("Current weekly rent")).toBe("450.50");
});

test("an empty date looks empty until it is focused, with a ring, or chosen", async ({ landlord }) => {
  await openForm(landlord, 2);
  const date = await landlord.field("Lease start date");
  // In an empty date, WebKit draws today's digits where other browsers draw 'dd'.
  const drawsDigits = await landlord.run<boolean>(`return CSS.supports("margin-trim", "block")`);
  const isSeen = async () =>
    !drawsDigits || (await landlord.run("return getComputedStyle(arguments[0]).color", date)) !== "rgba(0, 0, 0, 0)";
  expect(await isSeen()).toBe(!drawsDigits);
  const look = `const [input] = arguments; input.focus();
      const { outlineStyle, outlineWidth } = getComputedStyle(input.parentElement);
      return [outlineStyle, outlineWidth, getComputedStyle(input).backgroundColor]`;
  expect(await landlord.run(look, date)).toEqual(["solid", "3px", "rgb(255, 255, 255)"]);
  expect(await isSeen()).toBe(true);
  await landlord.pick("Lease start date", "2026-03-01");
  await landlord.run("arguments[0].blur()", date);
  await landlord.sees("March 1, 2026");
  expect(await isSeen()).toBe(true);
});
