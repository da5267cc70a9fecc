"use client";

import { useSyncExternalStore } from "react";
import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";
import { DraftForm } from "./draft-form";
import { FormLoading } from "./form-loading";
import { SubmittedState } from "./submitted-state";

const nothing = () => () => {};

/** The form of this device: what it restores is kept here, and the steps are in the browser's history. */
export default function ApplicationForm() {
  const isInBrowser = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  const { application } = useApplication();
  const { reference } = application;
  if (!isInBrowser) return <FormLoading />;
  return isSubmitted(application) ? <SubmittedState application={application} /> : <DraftForm key={reference} />;
}
