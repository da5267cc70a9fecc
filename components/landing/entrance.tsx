"use client";

import { lazy, Suspense } from "react";
import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";
import { landingVariant } from "@/lib/domain/source";
import { Start } from "./start";

/** Loaded for those whose application is in; the landing is for the others. */
const Received = lazy(async () => ({ default: (await import("./received")).Received }));

export function Entrance() {
  const { application, source } = useApplication();
  if (isSubmitted(application)) {
    return (
      // As tall as what comes, so that the page below stays where it is.
      <Suspense fallback={<div className="h-56" />}>
        <Received application={application} />
      </Suspense>
    );
  }
  const label = landingVariant(source) === "pre-approval" ? "Start pre-approval" : "Get started";
  return <Start label={label} application={application} />;
}
