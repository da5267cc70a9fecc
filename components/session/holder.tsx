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
  const [called = "you"] = firstName.split(/\s/).filter(Boolean);
  return (
    <div className="mb-2 grid grid-cols-1 gap-3 sm:mb-5 print:hidden">
      {/* As small as one line: the first question of the form should be seen without scrolling. */}
      <section
        aria-label="Whose application this is"
        className="flex flex-wrap items-center justify-between gap-x-3 text-[0.875rem] wrap-anywhere"
      >
        <p className="min-w-0">
          <strong className="font-semibold">{name}</strong>
          {!isSubmitted(application) && `, ${reference}`}
        </p>
        {/* Its target of 44 pixels reaches beyond the line. */}
        <button
          type="button"
          aria-expanded={isLeaving}
          className="link -my-2.5 min-h-11 text-ink-soft"
          onClick={() => setIsLeaving(true)}
        >
          Not {called}?
        </button>
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
