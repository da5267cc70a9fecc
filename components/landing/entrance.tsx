"use client";

import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";
import { landingVariant } from "@/lib/domain/source";
import { Received } from "./received";
import { Start } from "./start";

export function Entrance() {
  const { application, source } = useApplication();
  if (isSubmitted(application)) return <Received application={application} />;
  const label = landingVariant(source) === "pre-approval" ? "Start pre-approval" : "Get started";
  return <Start label={label} application={application} />;
}
