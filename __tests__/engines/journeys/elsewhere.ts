import { type Invitation, invitedAt } from "@/__tests__/engines/invitation";
import { changeOf } from "@/__tests__/support/answers";
import { post, saveUpTo } from "@/__tests__/support/stages";
import type { Journeys } from "./journey";

const change = ({ token }: Invitation) => {
  const { step, data } = changeOf("agencyName");
  return post(`submit-step-${step}`, token, data);
};

/** What another device does to the application meanwhile. */
export const elsewhere: Journeys = {
  async "an application that was submitted elsewhere takes no more saves, and says so"(browser) {
    const invitation = await invitedAt(2);
    await browser.open(invitation.link);
    await browser.open("/home");
    await browser.fillStep(3);
    await saveUpTo("submitted", invitation.token);
    await browser.press("Next");
    await browser.sees("This application has already been submitted");
    await browser.open("/home");
    await browser.sees("Application Submitted Successfully!");
  },

  async "an answer that was changed elsewhere is read before it is submitted"(browser) {
    const invitation = await invitedAt(3);
    await browser.open(invitation.link);
    await browser.open("/home");
    await browser.sees("Review your application");
    await change(invitation);
    await browser.press("Submit Application");
    await browser.sees("Nothing was submitted. Read what is marked below, then submit again.");
    await browser.press("Submit Application");
    await browser.isAt("/submit-success");
    await browser.sees(invitation.reference);
  },

  async "a link to another application says which one was open until now"(browser) {
    const [ada, ben] = [await invitedAt(), await invitedAt()];
    await browser.open(ada.link);
    await browser.sees("Get started");
    await browser.open(ben.link);
    await browser.sees(`Until now this device had application ${ada.reference} open.`);
  },
};
