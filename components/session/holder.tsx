"use client";

import { isSubmitted } from "@/lib/domain/journey";
import { DeviceNotes } from "./device-notes";
import { useApplication } from "./session-context";
import { useForgetting } from "./use-forgetting";

/**
 * Whose application is on the screen, and the way out for anybody else. Once it is submitted, every screen shows its
 * reference in large letters anyway.
 */
export function Holder() {
  const { application } = useApplication();
  const { firstName, lastName, reference } = application;
  const name = `${firstName} ${lastName}`.trim() || "Your application";
  const { button, panel } = useForgetting(firstName);
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
        {button}
      </section>
      {panel}
      <DeviceNotes />
    </div>
  );
}
