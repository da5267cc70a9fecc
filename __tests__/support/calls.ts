import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { post } from "@/__tests__/support/post";
import { POST as submitWhole } from "@/app/api/v1/user/submit/route";
import { POST as submitFinal } from "@/app/api/v1/user/submit-final/route";
import { POST as saveLandlord } from "@/app/api/v1/user/submit-step-1/route";
import { POST as saveAgent } from "@/app/api/v1/user/submit-step-2/route";
import { POST as saveLease } from "@/app/api/v1/user/submit-step-3/route";
import { POST as verify } from "@/app/api/v1/user/verify-token/route";

export { saveAgent, saveLandlord, saveLease, submitFinal, submitWhole, verify };

/** The three save calls, each with valid answers. */
export const saves = [
  { name: "step 1", handler: saveLandlord, answers: landlord },
  { name: "step 2", handler: saveAgent, answers: agent },
  { name: "step 3", handler: saveLease, answers: lease },
] as const;

/** All six calls, for rules that apply to every call. */
export const sixCalls = [
  { name: "verify-token", handler: verify },
  { name: "submit-step-1", handler: saveLandlord },
  { name: "submit-step-2", handler: saveAgent },
  { name: "submit-step-3", handler: saveLease },
  { name: "submit-final", handler: submitFinal },
  { name: "submit", handler: submitWhole },
] as const;

export const wholeApplication = { ...landlord, ...agent, ...lease, ...consent };

/** Saves all three steps. */
export async function fillIn(token: string): Promise<void> {
  for (const { handler, answers } of saves) {
    const { status } = await post(handler, { token, data: answers });
    if (status !== 200) throw new Error(`A step was refused with ${status}`);
  }
}
