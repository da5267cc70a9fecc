import { type AnswerStep, answerSteps } from "@/lib/domain/journey";
import { byStep, consent, landlord } from "./answers";
import { type Invitation, invite } from "./journey";

export type Stage = 0 | AnswerStep | "submitted";

/** An invitation with the steps saved up to this one, or submitted. */
export async function invitedAtStage(stage: Stage, ...flags: string[]): Promise<Invitation> {
  const invitation = await invite("--mobile", landlord.mobile, ...flags);
  const saved = answerSteps.filter((step) => stage === "submitted" || step <= stage);
  const calls: [string, object][] = saved.map((step) => [`submit-step-${step}`, byStep[step]]);
  if (stage === "submitted") calls.push(["submit-final", consent]);
  for (const [path, data] of calls) {
    const response = await fetch(`${process.env.APP_URL}/api/v1/user/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: invitation.token, data }),
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  }
  return invitation;
}
