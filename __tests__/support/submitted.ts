import type { InvitedAnswers } from "@/lib/domain/application";
import { consent } from "./answers";
import { fillIn, submitFinal } from "./calls";
import { invited } from "./invited";
import { post } from "./post";

/** Creates an application that was invited with these answers, filled in and submitted. */
export async function submitted(answers: Partial<InvitedAnswers> = {}) {
  const application = await invited(answers);
  await fillIn(application.token);
  await post(submitFinal, { token: application.token, data: consent });
  return application;
}
