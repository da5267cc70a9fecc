import { type ReactNode, useRef, useState } from "react";
import { buttonStyle } from "@/components/ui/button";
import { areDraftsStored } from "@/lib/client/browser-storage";
import { forgetDevice } from "@/lib/client/device";
import { removeOldDrafts } from "@/lib/client/drafts";
import { unauthorizedPath } from "@/lib/domain/journey";

/** The button 'Not Ada?' for anybody else, and the panel that asks before this device forgets the application. */
export function useForgetDevice(name: string): { button: ReactNode; panel: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  function keep() {
    setIsAsking(false);
    opener.current?.focus();
  }
  const [givenName = "you"] = name.split(/\s/).filter(Boolean);
  return {
    // The click target of 44 pixels extends beyond the line.
    button: (
      <button
        ref={opener}
        type="button"
        aria-expanded={isAsking}
        className="link -my-2.5 min-h-11 text-left text-ink-soft"
        onClick={() => setIsAsking(true)}
      >
        Not {givenName}?
      </button>
    ),
    panel: isAsking && <ForgetDevicePanel onKeep={keep} />,
  };
}

function forget() {
  forgetDevice();
  // Loads a new document, so that nothing stays in the memory of this one either.
  window.location.replace(`${unauthorizedPath}#forgotten`);
}

/** Asks for confirmation before this device forgets the application on the screen. */
function ForgetDevicePanel({ onKeep }: { onKeep: () => void }) {
  const [losesTyped] = useState(() => removeOldDrafts() || !areDraftsStored());
  return (
    <ForgetQuestion onForget={forget} onKeep={onKeep}>
      {losesTyped && "You'll lose anything you typed but didn't save. Copy it first if you need it. "}
      We'll keep what you saved, and your link will open it again.
    </ForgetQuestion>
  );
}

interface ForgetQuestionProps {
  onKeep: () => void;
  onForget: () => void;
  /** Says what would be lost. */
  children: ReactNode;
}

export function ForgetQuestion({ onKeep, onForget, children }: ForgetQuestionProps) {
  return (
    <div role="alert" className="grid gap-3 rounded-lg border border-accent bg-accent-soft p-4">
      <p className="font-semibold">Forget this device?</p>
      <p>{children}</p>
      <div className="flex flex-wrap gap-3">
        <button type="button" onClick={onForget} className={buttonStyle("primary")}>
          Forget<span className="sr-only"> this device</span>
        </button>
        <button type="button" onClick={onKeep} className={buttonStyle("secondary")}>
          Cancel
        </button>
      </div>
    </div>
  );
}
