"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { DeviceNotes } from "@/components/session/device-notes";
import { useApplication } from "@/components/session/session-context";
import { useForgetting } from "@/components/session/use-forgetting";
import { useBrand } from "@/components/site/brand-context";
import { isSubmitted } from "@/lib/domain/journey";
import { type LandingVariant, landingVariant } from "@/lib/domain/source";
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
  if (!isSubmitted(application)) return children;
  return (
    <Suspense>
      <ReceivedState application={application} />
    </Suspense>
  );
}

/** Loaded on demand: most links are opened to apply. */
const ReceivedState = lazy(async () => ({
  default: (await import("@/components/outcome/received-state")).ReceivedState,
}));

const startLabels: Record<LandingVariant, string> = { "pre-approval": "Start pre-approval", invoice: "Get started" };

export function Entrance() {
  const { application, source } = useApplication();
  const { button, panel } = useForgetting(application.firstName);
  return (
    <>
      <DeviceNotes arriving />
      <Start label={startLabels[landingVariant(source)]} application={application} />
      <div className="mt-3 grid grid-cols-1 justify-items-start gap-3 wrap-anywhere text-[0.875rem]">
        {button}
        {panel}
      </div>
    </>
  );
}
