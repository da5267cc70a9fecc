import { byStep } from "@/__tests__/support/answers";
import { post } from "@/__tests__/support/post";
import { POST as opened } from "@/app/api/v1/user/opened/route";
import { POST as receipt } from "@/app/api/v1/user/receipt/route";
import { POST as submitWhole } from "@/app/api/v1/user/submit/route";
import { POST as submitFinal } from "@/app/api/v1/user/submit-final/route";
import { POST as saveLandlord } from "@/app/api/v1/user/submit-step-1/route";
import { POST as saveAgent } from "@/app/api/v1/user/submit-step-2/route";
import { POST as saveLease } from "@/app/api/v1/user/submit-step-3/route";
import { POST as verify } from "@/app/api/v1/user/verify-token/route";
import { type AnswerStep, answerSteps } from "@/lib/domain/journey";

export { opened, receipt, saveAgent, saveLandlord, saveLease, submitFinal, submitWhole, verify };

const saveHandlers: Record<AnswerStep, typeof saveLandlord> = { 1: saveLandlord, 2: saveAgent, 3: saveLease };
/** The three save calls, each with valid answers. */
export const saves = answerSteps.map((step) => ({
  name: `step ${step}`,
  handler: saveHandlers[step],
  answers: byStep[step],
}));

/** Every call, for tests of rules that apply to all of them. */
export const allCalls = [
  { name: "verify-token", handler: verify },
  { name: "opened", handler: opened },
  ...answerSteps.map((step) => ({ name: `submit-step-${step}`, handler: saveHandlers[step] })),
  { name: "submit-final", handler: submitFinal },
  { name: "submit", handler: submitWhole },
  { name: "receipt", handler: receipt },
] as const;

/** Saves all three steps. */
export async function fillIn(token: string): Promise<void> {
  for (const { handler, answers } of saves) {
    const { status } = await post(handler, { token, data: answers });
    if (status !== 200) throw new Error(`A step was refused with ${status}`);
  }
}
