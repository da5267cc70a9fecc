"use client";

import type { ReactNode } from "react";
import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";
import { Received } from "./received";

/** The landing advertises to people who have yet to apply. Anybody else reads the application's status instead. */
export function BeforeSubmission({ children }: { children: ReactNode }) {
  const { application } = useApplication();
  return isSubmitted(application) ? <Received application={application} /> : children;
}
