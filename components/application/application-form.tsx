"use client";

import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";
import { DraftForm } from "./draft-form";
import { SubmittedState } from "./submitted-state";

export default function ApplicationForm() {
  const { application } = useApplication();
  const { reference } = application;
  return isSubmitted(application) ? <SubmittedState application={application} /> : <DraftForm key={reference} />;
}
