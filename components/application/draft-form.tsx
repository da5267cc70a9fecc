import { type FormEvent, useState } from "react";
import { useWindowTitle } from "@/components/site/window-title";
import { Card } from "@/components/ui/card";
import { ErrorSummary } from "@/components/ui/error-summary";
import { StepIndicator } from "@/components/ui/step-indicator";
import { steps } from "@/lib/domain/journey";
import { AgentStep } from "./agent-step";
import { AnswersContext } from "./answers-context";
import { whyBlocked } from "./consent-block";
import { FormActions } from "./form-actions";
import { OfflineNotice, RestoredNotice, TroubleBanner } from "./form-notices";
import { LandlordStep } from "./landlord-step";
import { LeaseStep } from "./lease-step";
import { ReviewStep } from "./review-step";
import { useApplicationForm } from "./use-application-form";
import { useHeadingFocus } from "./use-heading-focus";
import { useSubmission } from "./use-submission";

/** The four steps of an application that is still a draft. */
export function DraftForm() {
  const { application, saved, restored, journey, problems, answers, next, saving, waiting } = useApplicationForm();
  const { step } = journey;
  const submission = useSubmission((failure) => problems.showFailure(4, failure, answers.values));
  const [showsRestored, setShowsRestored] = useState(restored.isAny);
  const { heading, windowTitle } = steps[step - 1] ?? steps[0];
  const busy = saving || submission.submitting;

  useWindowTitle(windowTitle, problems.problems.length > 0);
  const headingRef = useHeadingFocus(step);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The field that still has the focus is left, so that what was typed there is tidied and judged like the rest.
    const { submitter } = event.nativeEvent as SubmitEvent;
    submitter?.focus();
    if (step !== 4) return next();
    problems.clear();
    if (!whyBlocked(answers.values)) void submission.submit(answers.values);
  }

  return (
    <AnswersContext value={answers}>
      <form noValidate aria-busy={busy} onSubmit={submit} className="flex flex-col gap-6">
        <StepIndicator steps={steps} current={step} completed={application.savedSteps} />
        <OfflineNotice />
        {showsRestored && <RestoredNotice onDismiss={() => setShowsRestored(false)} />}
        <TroubleBanner trouble={problems.trouble} onDismiss={problems.dismissTrouble} onGo={journey.change} />
        <ErrorSummary problems={problems.problems} />
        <Card className="flex flex-col gap-6">
          <h1 ref={headingRef} tabIndex={-1} className="font-bold text-2xl">
            {heading}
          </h1>
          {step === 1 && <LandlordStep />}
          {step === 2 && <AgentStep />}
          {step === 3 && <LeaseStep />}
          {step === 4 && <ReviewStep saved={saved} busy={busy} onChange={journey.change} />}
          <FormActions
            next={step === 4 ? "Submit Application" : "Next"}
            busy={busy}
            busyLabel={step > 2 ? "Submitting..." : "Saving..."}
            waiting={waiting || submission.waiting}
            blocked={step === 4 ? whyBlocked(answers.values) : undefined}
            onBack={step > 1 ? journey.back : undefined}
          />
        </Card>
      </form>
    </AnswersContext>
  );
}
