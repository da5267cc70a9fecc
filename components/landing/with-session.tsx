"use client";

import type { ReactNode } from "react";
import { ReferenceCard } from "@/components/outcome/reference-card";
import { StatusBadge } from "@/components/outcome/status-badge";
import { WhomToAsk } from "@/components/outcome/whom-to-ask";
import { DeviceNotes } from "@/components/session/device-notes";
import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { useWindowTitle } from "@/components/site/window-title";
import { ButtonLink } from "@/components/ui/button-link";
import type { ApplicationView } from "@/lib/domain/application";
import { isSubmitted, type SubmittedStatus } from "@/lib/domain/journey";
import { type LandingVariant, landingVariant } from "@/lib/domain/source";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";
import { Start } from "./start";

export function Addressee() {
  const { firstName } = useApplication().application;
  const { name, product } = useBrand();
  return firstName ? `For ${firstName}, from ${name}` : `${product} by ${name}`;
}

/** Where the landings differ. The server sends every variant, since only the browser knows a stored source. */
export function ByVariant({ variants }: { variants: Record<LandingVariant, ReactNode> }) {
  return variants[landingVariant(useApplication().source)];
}

/** The landing advertises to people who have yet to apply. Anybody else reads the application's status instead. */
export function BeforeSubmission({ children }: { children: ReactNode }) {
  const { application } = useApplication();
  return isSubmitted(application) ? <Received application={application} /> : children;
}

/** The landing of an application that was submitted. */
function Received({ application }: { application: ApplicationView & { status: SubmittedStatus } }) {
  const { status } = application;
  const { text } = statusWords(useBrand())[status];
  useWindowTitle("Your application");
  return (
    <div className="column grid gap-6 py-10 sm:py-14">
      <div className="grid gap-4">
        <StatusBadge status={status} />
        <h1 className="font-bold text-3xl sm:text-4xl">{statusHeadings[status].heading}</h1>
        <p className="text-ink-soft sm:text-lg">{text}</p>
      </div>
      <ReferenceCard application={application} />
      <WhomToAsk status={status} />
      <div>
        <ButtonLink href="/submit-success" className="w-full sm:w-auto">
          See your application
        </ButtonLink>
      </div>
    </div>
  );
}

const startLabels: Record<LandingVariant, string> = { "pre-approval": "Start pre-approval", invoice: "Get started" };

export function Entrance() {
  const { application, source } = useApplication();
  return (
    <>
      <DeviceNotes arriving />
      <Start label={startLabels[landingVariant(source)]} application={application} />
    </>
  );
}
