import { lazy, type ReactNode, Suspense } from "react";
import { FormLoading } from "@/components/form/form-loading";
import { useApplication } from "@/components/session/session-context";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { isSubmitted } from "@/lib/domain/journey";

/** Loaded on demand, because only applicants who have submitted need it. */
const SubmittedState = lazy(async () => ({
  default: (await import("@/components/outcome/submitted-state")).SubmittedState,
}));

/** Renders its children only in the browser, because drafts are in localStorage, and only until submission. */
export function DraftOnly({ children }: { children: ReactNode }) {
  const isInBrowser = useInBrowser();
  const { application } = useApplication();
  if (!isInBrowser) return <FormLoading />;
  if (!isSubmitted(application)) return children;
  return (
    <Suspense fallback={<FormLoading />}>
      <SubmittedState application={application} />
    </Suspense>
  );
}
