"use client";

import { lazy, Suspense } from "react";
import { DeviceNotes } from "@/components/session/device-notes";
import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";
import { landingVariant } from "@/lib/domain/source";
import { Start } from "./start";

/** Loaded on demand: only applicants who have submitted need it. */
const Received = lazy(async () => ({ default: (await import("./received")).Received }));

export function Entrance() {
  const { application, source } = useApplication();
  if (isSubmitted(application)) {
    return (
      // As tall as what replaces it, so that nothing shifts.
      <Suspense fallback={<div className="h-56" />}>
        <Received application={application} />
      </Suspense>
    );
  }
  const label = landingVariant(source) === "pre-approval" ? "Start pre-approval" : "Get started";
  return (
    <>
      <DeviceNotes arriving />
      <Start label={label} application={application} />
    </>
  );
}
