"use client";

import { lazy, Suspense, useState } from "react";
import { isSubmitted } from "@/lib/domain/journey";
import { DeviceNotes } from "./device-notes";
import { useApplication } from "./session-context";

/** Loaded on demand: few visits end with it. */
const ForgetDevicePanel = lazy(async () => ({ default: (await import("./forget-device-panel")).ForgetDevicePanel }));

/**
 * Whose application is on the screen, and the way out for anybody else. Once it is submitted, every screen shows its
 * reference in large letters anyway.
 */
export function Holder() {
  const { application } = useApplication();
  const { firstName, lastName, reference } = application;
  const [isLeaving, setIsLeaving] = useState(false);
  const name = `${firstName} ${lastName}`.trim() || "Your application";
  return (
    <div className="mb-5 grid gap-3 print:hidden">
      <section
        aria-label="Whose application this is"
        className="flex flex-wrap items-center justify-between gap-x-6 text-sm"
      >
        <p>
          <strong className="font-semibold">{name}</strong>
          {!isSubmitted(application) && `, ${reference}`}
        </p>
        <p className="text-ink-soft">
          Not you?{" "}
          <button type="button" className="link min-h-11" onClick={() => setIsLeaving(true)}>
            Forget this device
          </button>
        </p>
      </section>
      {isLeaving && (
        <Suspense>
          <ForgetDevicePanel onKeep={() => setIsLeaving(false)} />
        </Suspense>
      )}
      <DeviceNotes />
    </div>
  );
}
