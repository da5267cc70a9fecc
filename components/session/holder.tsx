"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { isKept } from "@/lib/client/browser-storage";
import { forgetDevice, holdsDrafts } from "@/lib/client/forget-device";
import { unauthorizedPath } from "@/lib/domain/journey";
import { DeviceNotes } from "./device-notes";
import { useApplication } from "./session-context";

function forget() {
  forgetDevice();
  // A new document, so that nothing stays in this one's memory either.
  window.location.replace(`${unauthorizedPath}#forgotten`);
}

/** Whose application is on the screen, and the way out for anybody else. */
export function Holder() {
  const { firstName, lastName, reference } = useApplication().application;
  const [asks, setAsks] = useState(false);
  const name = `${firstName} ${lastName}`.trim();
  return (
    <div className="mb-5 grid gap-3 print:hidden">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields */}
      <div
        role="group"
        aria-label="Whose application this is"
        className="flex flex-wrap items-center justify-between gap-x-6 text-sm"
      >
        <p>
          <strong className="font-semibold">{name || "Your application"}</strong>,{" "}
          <span className="whitespace-nowrap tabular-nums">{reference}</span>
        </p>
        <p className="text-ink-soft">
          Not you?{" "}
          <button
            type="button"
            className="link min-h-11"
            onClick={() => (holdsDrafts() || !isKept() ? setAsks(true) : forget())}
          >
            Forget this device
          </button>
        </p>
      </div>
      {asks && (
        <div role="alert" className="grid gap-3 rounded-lg border border-accent bg-accent-soft p-4">
          <p className="font-semibold">What you typed and did not save will be lost.</p>
          <p>Copy it first if you need it. What you saved stays with us, and your link opens it again.</p>
          <div className="flex flex-wrap gap-3">
            <Button onClick={forget}>Forget it all</Button>
            <Button kind="secondary" onClick={() => setAsks(false)}>
              Keep it
            </Button>
          </div>
        </div>
      )}
      <DeviceNotes />
    </div>
  );
}
