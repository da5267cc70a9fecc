import type { ReactNode } from "react";
import { Banner } from "./banner";
import { LongWait } from "./long-wait";
import { Spinner } from "./spinner";

interface StepProgressProps {
  busy: boolean;
  busyLabel: string;
  error?: ReactNode;
  onDismiss?: () => void;
  children?: ReactNode;
}

/** One step of something longer: its content, a spinner over it while it works, and what went wrong above it. */
export function StepProgress({ busy, busyLabel, error, onDismiss, children }: StepProgressProps) {
  return (
    <div aria-busy={busy} className="relative">
      {error && (
        <div className="mb-6">
          <Banner tone="error" onDismiss={onDismiss}>
            {error}
          </Banner>
        </div>
      )}
      {/* Over the content, not above it: what a person was reading stays where it is. */}
      {children && <div className={`transition-opacity ${busy ? "opacity-40" : ""}`}>{children}</div>}
      {busy && (
        <div className={children ? "absolute inset-x-0 top-24 z-10 grid justify-items-center" : "min-h-dvh py-24"}>
          <div
            className={
              children ? "rounded-full border border-line bg-surface px-[min(1.25rem,5vw)] py-2.5 shadow-md" : ""
            }
          >
            <Spinner label={busyLabel} />
          </div>
          {!children && <LongWait />}
        </div>
      )}
    </div>
  );
}
