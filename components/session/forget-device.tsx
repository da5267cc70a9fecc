import { type ReactNode, useRef, useState } from "react";
import { buttonStyle } from "@/components/ui/button";
import { areDraftsStored } from "@/lib/client/browser-storage";
import { forgetDevice } from "@/lib/client/device";
import { removeOldDrafts } from "@/lib/client/draft-expiry";

/** A button such as 'Not Ada?', and the panel that asks before this device forgets the application and everything typed. */
export function useForgetDevice(label: string): { button: ReactNode; panel: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  function keep() {
    setIsAsking(false);
    opener.current?.focus();
  }
  return {
    // The click target of 44 pixels extends beyond the lines of the label, however many they are.
    button: (
      <button
        ref={opener}
        type="button"
        className="link -my-3 py-3 text-left text-ink-soft"
        onClick={() => setIsAsking(true)}
      >
        {label}
      </button>
    ),
    panel: isAsking && <ForgetDevicePanel onKeep={keep} />,
  };
}

/** 'Not Ada?', for anybody else who opens Ada's application. */
export function notMe(givenNames: string): string {
  const [givenName = "you"] = givenNames.split(/\s/).filter(Boolean);
  return `Not ${givenName}?`;
}

function ForgetDevicePanel({ onKeep }: { onKeep: () => void }) {
  const [losesTyped] = useState(() => removeOldDrafts() || !areDraftsStored());
  return (
    <div role="alert" className="grid gap-3 rounded-lg border border-accent bg-accent-soft p-4">
      <p className="font-semibold">Remove this application from this device?</p>
      <p>
        {losesTyped && "You'll lose anything you typed but didn't save. "}
        What's saved stays with us. The link in our message opens it again.
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="button" onClick={forgetDevice} className={buttonStyle("primary")}>
          Forget<span className="sr-only"> this device</span>
        </button>
        <button type="button" onClick={onKeep} className={buttonStyle("secondary")}>
          Cancel
        </button>
      </div>
    </div>
  );
}
