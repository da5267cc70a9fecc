import type { Page } from "@playwright/test";
import { type AnswerStep, answerSteps } from "@/lib/domain/journey";
import { byStep, consent, landlord } from "./answers";
import { type Invitation, invite } from "./journey";
import { type Call, call } from "./processes/call";

export type Stage = 0 | AnswerStep | "submitted";

/** Ways in which a browser refuses storage. These are scripts as text, because a page cannot call this file's functions. */
export const storageRefusals = {
  throws: `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("No", "SecurityError") } });`,
  "is null": `Object.defineProperty(window, "localStorage", { get: () => null });`,
  "takes nothing": `Storage.prototype.setItem = () => { throw new DOMException("Full", "QuotaExceededError") };`,
};

/** Calls the API as another device does. */
export async function post(name: Call, token: string, data: object): Promise<void> {
  const { status } = await call({ url: process.env.APP_URL ?? "" }, name, { token, data });
  if (status !== 200) throw new Error(`${name} returned ${status}`);
}

/** Saves the steps up to this stage, and submits if it is `submitted`. */
export async function saveUpTo(stage: Stage, token: string): Promise<void> {
  const saved = answerSteps.filter((step) => stage === "submitted" || step <= stage);
  for (const step of saved) await post(`submit-step-${step}`, token, byStep[step]);
  if (stage === "submitted") await post("submit-final", token, consent);
}

/** Issues an invitation, and brings its application to this stage. */
export async function invitedAtStage(stage: Stage, ...flags: string[]): Promise<Invitation> {
  const invitation = await invite("--mobile", landlord.mobile, ...flags);
  await saveUpTo(stage, invitation.token);
  return invitation;
}

/** Opens the link of an application at this stage, then the path if there is one. Returns the invitation. */
export async function openAt(page: Page, stage: Stage, path = "", ...flags: string[]): Promise<Invitation> {
  const invitation = await invitedAtStage(stage, ...flags);
  await page.goto(invitation.link);
  if (path) await page.goto(path);
  return invitation;
}
