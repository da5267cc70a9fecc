import { lazy, type ReactNode, Suspense } from "react";
import { FormLoading } from "@/components/form/form-loading";
import { useApplication } from "@/components/session/session-context";
import { WindowTitle } from "@/components/site/window-title";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { isSubmitted } from "@/lib/domain/journey";

/** Loaded on demand, because only applicants who have submitted need it. */
const SubmittedState = lazy(async () => ({
  default: (await import("@/components/outcome/submitted-state")).SubmittedState,
}));

const loading = (
  <>
    <WindowTitle title="Your application" />
    <FormLoading />
  </>
);

/** Renders its children only in the browser, because drafts are in localStorage, and only until submission. */
export function DraftOnly({ children }: { children: ReactNode }) {
  const isInBrowser = useInBrowser();
  const { application } = useApplication();
  if (!isInBrowser) return loading;
  if (!isSubmitted(application)) return children;
  return (
    <Suspense fallback={loading}>
      <SubmittedState application={application} />
    </Suspense>
  );
}
