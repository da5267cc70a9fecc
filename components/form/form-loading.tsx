import type { ReactNode } from "react";
import { Banner } from "@/components/ui/banner";
import { LongWait, Spinner } from "@/components/ui/spinner";

export function FormLoading() {
  return (
    <>
      <h1 className="sr-only">Your application</h1>
      <StepProgress busy busyLabel="Loading form data..." />
    </>
  );
}

interface StepProgressProps {
  busy: boolean;
  busyLabel: string;
  error?: string;
  onDismiss?: () => void;
  children?: ReactNode;
}

/** A step's content, with a spinner over it while busy and its error above. */
export function StepProgress({ busy, busyLabel, error, onDismiss, children }: StepProgressProps) {
  return (
    <div aria-busy={busy} className="relative">
      {error && (
        <div className="mb-6">
          <Banner tone="error" dismiss={onDismiss && { what: error, onDismiss }}>
            {error}
          </Banner>
        </div>
      )}
      {/* The spinner overlays the content, so that nothing shifts. */}
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
