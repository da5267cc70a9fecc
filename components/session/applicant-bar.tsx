"use client";

import { fullName } from "@/lib/domain/application";
import { isSubmitted } from "@/lib/domain/journey";
import { DeviceNotes } from "./device-notes";
import { notMe, useForgetDevice } from "./forget-device";
import { useApplication } from "./session-context";

/**
 * Shows whose application is on the screen, with a way out for anybody else. It leaves out the reference after submission,
 * because every screen then shows it in large letters.
 */
export function ApplicantBar() {
  const { application } = useApplication();
  const { firstName, reference } = application;
  const name = fullName(application) || "Your application";
  const { button, panel } = useForgetDevice(notMe(firstName));
  return (
    <div className="mb-2 grid grid-cols-1 gap-3 sm:mb-5 print:hidden">
      {/* Takes a single line, so that the form's first question can be seen without scrolling. */}
      <section
        aria-label="Applicant"
        className="flex flex-wrap items-center justify-between gap-x-3 text-[0.875rem] wrap-anywhere"
      >
        <p className="min-w-0">
          <bdi className="font-semibold">{name}</bdi>
          {!isSubmitted(application) && <span>{`, ${reference}`}</span>}
        </p>
        {button}
      </section>
      {panel}
      <DeviceNotes />
    </div>
  );
}
