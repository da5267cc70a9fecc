import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { reviewStep } from "@/lib/domain/journey";
import { isBusy } from "./form-state";
import { useForm } from "./use-form";

interface FormActionsProps {
  next: string;
  busyLabel: string;
  /** Why the button is disabled. */
  blocked?: ReactNode;
  /** Announced to screen readers, like `blocked`. */
  note?: ReactNode;
  onBack?: () => void;
  /** Shown above the buttons. */
  children?: ReactNode;
}

export function FormActions({ next, busyLabel, blocked, note, onBack, children }: FormActionsProps) {
  const { state, step } = useForm();
  const busy = isBusy(state);
  const isSubmission = state.step === reviewStep;
  // Where a failure shows: see noticesForStep in form-state.ts.
  const isReportedHere = isSubmission || state.step === step;
  const outcome = `If it doesn't work, we'll tell you here${isSubmission ? "" : " and keep what you typed"}.`;
  return (
    <div className="border-line border-t pt-6">
      <div role="status" className="mb-4 grid gap-2 empty:mb-0">
        {blocked && <div id="blocked">{blocked}</div>}
        {note}
      </div>
      {children}
      <div className="flex flex-wrap gap-3 sm:justify-between">
        {onBack && (
          <Button variant="secondary" onClick={onBack} disabled={busy} className="max-sm:grow">
            Back
          </Button>
        )}
        <Button
          type="submit"
          busy={busy}
          busyLabel={busyLabel}
          disabled={Boolean(blocked)}
          aria-describedby={blocked ? "blocked" : undefined}
          className="grow sm:ml-auto sm:min-w-48 sm:grow-0"
        >
          {next}
        </Button>
      </div>
      <p role="status" className="mt-3 text-ink-soft text-sm empty:mt-0">
        {state.activity === "slow" &&
          `This is taking longer than usual. We're still trying, so you don't need to do anything. ${isReportedHere ? outcome : ""}`}
      </p>
    </div>
  );
}
