"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useApplication } from "@/components/session/session-context";
import { useWindowTitle } from "@/components/site/window-title";
import { Banner } from "@/components/ui/banner";
import { Card } from "@/components/ui/card";
import { InnerLink } from "@/components/ui/inner-link";
import { SummaryList } from "@/components/ui/summary-list";
import type { ApplicationView, ConsentAnswers } from "@/lib/domain/application";
import { isSubmitted, resumeStep, steps } from "@/lib/domain/journey";
import { CalculationSummary } from "./calculation-summary";
import { ConsentBlock, whyBlocked } from "./consent-block";
import { FormActions } from "./form-actions";
import { OfflineNotice, TroubleBanner } from "./form-notices";
import { formValues } from "./form-values";
import { useReviewRows } from "./review-rows";
import { SubmittedState } from "./submitted-state";
import { type Trouble, troubleOf } from "./trouble";
import { useSubmission } from "./use-submission";

/** /review&submit: the saved application on one page, to agree to and submit. */
export function StandaloneReview() {
  const { application } = useApplication();
  return isSubmitted(application) ? <SubmittedState application={application} /> : <Review application={application} />;
}

function Review({ application }: { application: ApplicationView }) {
  const { source } = useApplication();
  const router = useRouter();
  const [consent, setConsent] = useState<ConsentAnswers>(application);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const { submit, submitting, waiting } = useSubmission((failure) => setTrouble(troubleOf(failure, 4)));
  const values = formValues(application, source);
  const rows = useReviewRows(values);
  const missing = resumeStep(application);
  const blocked = missing === 4 ? whyBlocked(consent) : "To submit, complete your application first.";
  useWindowTitle("Check and send your application");

  return (
    <form
      noValidate
      aria-busy={submitting}
      onSubmit={(event) => {
        event.preventDefault();
        setTrouble(null);
        if (!blocked) void submit(consent);
      }}
      className="flex flex-col gap-6"
    >
      <OfflineNotice />
      <TroubleBanner
        trouble={trouble}
        onDismiss={() => setTrouble(null)}
        onGo={(step) => router.push(`/home?step=${step}&then=review`)}
      />
      <Card>
        <div className="flex flex-col gap-6">
          <h1 className="font-bold text-2xl">Review Your Application</h1>
          {missing !== 4 && (
            <Banner tone="info">
              <p>Your application is not complete yet.</p>
              <InnerLink href={`/home?step=${missing}`} className="link inline-flex min-h-11 items-center">
                Go on with {steps[missing - 1]?.title}
              </InnerLink>
            </Banner>
          )}
          <SummaryList title="Personal Details" rows={rows.personal} />
          <SummaryList title="Property & Rental Details" rows={[...rows.property, ...rows.lease]} />
          <SummaryList title="Agency Details" rows={rows.agency} />
          <CalculationSummary values={values} />
          <ConsentBlock consent={consent} onChange={setConsent} disabled={submitting} />
          <FormActions
            next="Submit Application"
            busy={submitting}
            busyLabel="Submitting..."
            waiting={waiting}
            blocked={blocked}
            onBack={() => router.push("/home")}
          />
        </div>
      </Card>
    </form>
  );
}
