import { lazy, type ReactNode, Suspense, useState } from "react";

/** Loaded on demand: few visits end with it. */
const ForgetDevicePanel = lazy(async () => ({ default: (await import("./forget-device-panel")).ForgetDevicePanel }));

/** The way out for anybody else: 'Not Ada?', and the panel that asks before this device forgets the application. */
export function useForgetting(name: string): { button: ReactNode; panel: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const [called = "you"] = name.split(/\s/).filter(Boolean);
  return {
    // Its target of 44 pixels reaches beyond the line.
    button: (
      <button
        type="button"
        aria-expanded={isAsking}
        className="link -my-2.5 min-h-11 text-left text-ink-soft"
        onClick={() => setIsAsking(true)}
      >
        Not {called}?
      </button>
    ),
    panel: isAsking && (
      <Suspense>
        <ForgetDevicePanel onKeep={() => setIsAsking(false)} />
      </Suspense>
    ),
  };
}
