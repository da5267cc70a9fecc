"use client";

import { DeviceNotes } from "@/components/session/device-notes";
import { useApplication } from "@/components/session/session-context";
import { landingVariant } from "@/lib/domain/source";
import { Start } from "./start";

export function Entrance() {
  const { application, source } = useApplication();
  const label = landingVariant(source) === "pre-approval" ? "Start pre-approval" : "Get started";
  return (
    <>
      <DeviceNotes arriving />
      <Start label={label} application={application} />
    </>
  );
}
