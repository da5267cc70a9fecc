import { useState } from "react";
import { buttonStyle } from "@/components/ui/button";
import { isTokenStored } from "@/lib/client/browser-storage";
import { forgetDevice, holdsDrafts } from "@/lib/client/device";
import { unauthorizedPath } from "@/lib/domain/journey";

function forget() {
  forgetDevice();
  // Loads a new document, so that nothing stays in the memory of this one either.
  window.location.replace(`${unauthorizedPath}#forgotten`);
}

interface ForgetDevicePanelProps {
  onKeep: () => void;
  onForget?: () => void;
}

/** Asks for confirmation before this device forgets the application, and says what would be lost. */
export function ForgetDevicePanel({ onKeep, onForget = forget }: ForgetDevicePanelProps) {
  const [losesTyped] = useState(() => holdsDrafts() || !isTokenStored());
  return (
    <div role="alert" className="grid gap-3 rounded-lg border border-accent bg-accent-soft p-4">
      <p className="font-semibold">Forget this device?</p>
      <p>
        {losesTyped && "You'll lose anything you typed but didn't save. Copy it first if you need it. "}
        We'll keep what you saved, and your link will open it again.
      </p>
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
