"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { DeviceNotes } from "@/components/session/device-notes";
import { notMe, useForgetDevice } from "@/components/session/forget-device";
import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { WindowTitle } from "@/components/site/window-title";
import { isSubmitted } from "@/lib/domain/journey";
import { type LandingVariant, landingVariant } from "@/lib/domain/source";
import { Start } from "./start";

export function Addressee() {
  const { firstName } = useApplication().application;
  const { name, product } = useBrand();
  return firstName ? `For ${firstName}, from ${name}` : `${product} by ${name}`;
}

/** Shows the variant of the visit's source. The server sends every variant, because only the browser knows a stored source. */
export function ByVariant({ variants }: { variants: Record<LandingVariant, ReactNode> }) {
  return variants[landingVariant(useApplication().source)];
}

/** The landing is for people who have not applied yet. After submission it shows the application's status instead. */
export function BeforeSubmission({ children }: { children: ReactNode }) {
  const { application } = useApplication();
  if (!isSubmitted(application)) return children;
  return (
    <Suspense fallback={<WindowTitle title="Your application" />}>
      <ReceivedState application={application} />
    </Suspense>
  );
}

/** Loaded on demand, because most links are opened to apply. */
const ReceivedState = lazy(async () => ({
  default: (await import("@/components/outcome/status-screens")).ReceivedState,
}));

const startLabels: Record<LandingVariant, string> = { "pre-approval": "Start pre-approval", invoice: "Get started" };

export function CallToAction() {
  const { application, source } = useApplication();
  const { button, panel } = useForgetDevice(notMe(application.firstName));
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
