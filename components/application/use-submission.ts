import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { useApplication } from "@/components/session/session-context";
import { type Failure, submitFinal } from "@/lib/client/api";
import { forgetDraft } from "@/lib/client/forget-drafts";
import type { ConsentAnswers } from "@/lib/domain/application";
import { usePatientCall } from "./use-patient-call";

/** The final submission, for both reviews: it cannot fire twice, and leaves for the thank-you page. */
export function useSubmission(onFailure: (failure: Failure) => void) {
  const { application, update } = useApplication();
  const { make, waiting } = usePatientCall();
  const router = useRouter();
  const inFlight = useRef(false);
  const [submitting, setSubmitting] = useState(false);

  async function submit({ authoriseAgent, provideSelf, confirmLoan }: ConsentAnswers): Promise<void> {
    if (inFlight.current) return;
    inFlight.current = true;
    setSubmitting(true);
    const consent = { authoriseAgent, provideSelf, confirmLoan };
    const answer = await make(() => submitFinal(consent));
    inFlight.current = false;
    setSubmitting(false);
    if (!answer.success) return onFailure(answer);
    forgetDraft(application.reference);
    router.replace("/submit-success");
    update({ ...consent, ...answer.data });
  }

  return { submit, submitting, waiting };
}
