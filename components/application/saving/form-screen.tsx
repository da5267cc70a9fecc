import type { ReactNode } from "react";
import { ApplicantBar } from "@/components/session/applicant-bar";
import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { useOnDemand } from "@/components/ui/use-on-demand";
import { isSubmitted } from "@/lib/domain/journey";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { FormLoading } from "./form-loading";
import type { ReturnTarget } from "./step-history";
import { FormContext, useApplicationForm } from "./use-form";

/** Loaded on demand, because only applicants who submit need it. */
export const loadStatusScreens = () => import("@/components/outcome/status-screens");

interface FormScreenProps {
  /** The review of this screen. The Next button returns to it from a step that it has opened. */
  review: ReturnTarget;
  /** The consent text of the server that rendered this page. The text of another server may differ. */
  consent: ShownConsent;
  children: ReactNode;
}

/**
 * A screen of the form, below the name of its applicant. The form renders only in the browser, because drafts are in
 * localStorage, and only until submission.
 */
export function FormScreen(screen: FormScreenProps) {
  const isInBrowser = useInBrowser();
  const { application } = useApplication();
  const { product } = useBrand();
  // Not React.lazy, which would show its fallback for a moment even if the review has loaded them already.
  const statusScreens = useOnDemand(loadStatusScreens, isSubmitted(application));
  const isLoading = !isInBrowser || (isSubmitted(application) && !statusScreens);
  return (
    <>
      <ApplicantBar />
      {isLoading && <FormLoading product={product} />}
      {isInBrowser && !isSubmitted(application) && (
        <FormProvider key={application.reference + screen.review} {...screen} />
      )}
      {isInBrowser && isSubmitted(application) && statusScreens && (
        <statusScreens.SubmittedState application={application} />
      )}
    </>
  );
}

function FormProvider({ review, consent, children }: FormScreenProps) {
  return <FormContext value={useApplicationForm(review, consent)}>{children}</FormContext>;
}
