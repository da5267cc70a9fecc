import { type ReactNode, useRef, useState } from "react";
import { ForgetDevicePanel } from "./forget-device-panel";

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
