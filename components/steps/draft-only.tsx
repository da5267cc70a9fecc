import { type ReactNode, useSyncExternalStore } from "react";
import { FormLoading } from "@/components/form/form-loading";
import { SubmittedState } from "@/components/outcome/submitted-state";
import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";

const nothing = () => () => {};

/** Renders only in the browser, since drafts are in localStorage, and only until the application is submitted. */
export function DraftOnly({ children }: { children: ReactNode }) {
  const isInBrowser = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  const { application } = useApplication();
  if (!isInBrowser) return <FormLoading />;
  return isSubmitted(application) ? <SubmittedState application={application} /> : children;
}
