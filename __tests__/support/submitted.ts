import type { InvitedAnswers } from "@/lib/domain/application";
import { consent } from "./answers";
import { fillIn, submitFinal } from "./calls";
import { invited } from "./invited";
import { post } from "./post";

/** Fills in and submits the application of this link. */
export async function fillInAndSubmit(token: string): Promise<void> {
  await fillIn(token);
  const { status } = await post(submitFinal, { token, data: consent });
  if (status !== 200) throw new Error(`The submission was refused with ${status}`);
}

/** Creates an application that was invited with these answers and filled in. */
export async function filledIn(...invitation: Parameters<typeof invited>) {
  const application = await invited(...invitation);
  await fillIn(application.token);
  return application;
}

/** Creates an application that was invited with these answers, filled in and submitted. */
export async function submitted(answers: Partial<InvitedAnswers> = {}) {
  const application = await invited(answers);
  await fillInAndSubmit(application.token);
  return application;
}
