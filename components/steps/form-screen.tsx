import { lazy, type ReactNode, Suspense } from "react";
import { FormLoading } from "@/components/form/form-loading";
import type { ReturnTarget } from "@/components/form/step-history";
import { FormContext, useFormState } from "@/components/form/use-form";
import { ApplicantBar } from "@/components/session/applicant-bar";
import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { isSubmitted } from "@/lib/domain/journey";

/** Loaded on demand, because only applicants who have submitted need it. */
const SubmittedState = lazy(async () => ({
  default: (await import("@/components/outcome/status-screens")).SubmittedState,
}));

interface FormScreenProps {
  /** The review of this screen. Next returns to it from a step that it has opened. */
  review: ReturnTarget;
  children: ReactNode;
}

/**
 * A screen of the form, below the name of its applicant. The form renders only in the browser, because drafts are in
 * localStorage, and only until submission.
 */
export function FormScreen(screen: FormScreenProps) {
  const isInBrowser = useInBrowser();
  const { application } = useApplication();
  const loading = <FormLoading product={useBrand().product} />;
  return (
    <>
      <ApplicantBar />
      {!isInBrowser && loading}
      {isInBrowser && !isSubmitted(application) && <FormProvider key={application.reference} {...screen} />}
      {isInBrowser && isSubmitted(application) && (
        <Suspense fallback={loading}>
          <SubmittedState application={application} />
        </Suspense>
      )}
    </>
  );
}

function FormProvider({ review, children }: FormScreenProps) {
  return <FormContext value={useFormState(review)}>{children}</FormContext>;
}
