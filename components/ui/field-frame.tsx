import type { AriaAttributes, ReactNode } from "react";
import { type Change, ChangedMark } from "./changed-mark";

/** The props that every field takes. */
export interface FieldProps {
  /** Unique on the page; the error summary links to it. */
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string;
  required?: boolean;
  /** Set if the applicant has changed the value of the invitation. */
  changed?: Change;
}

interface FieldFrameProps extends FieldProps {
  /** Renders the control. `controlProps` connect it with its label, hint, mark and error. */
  children: (controlProps: AriaAttributes & { id: string }) => ReactNode;
  /** Shown below the control, such as a date in words. An empty string reserves the line, unless an error takes its place. */
  echo?: ReactNode;
}

export function FieldFrame({ id, label, hint, error, required, changed, echo, children }: FieldFrameProps) {
  const notes = [hint && `${id}-hint`, echo && `${id}-echo`, changed && `${id}-changed`, error && `${id}-error`];
  const describedBy = notes.filter(Boolean).join(" ");
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline gap-1">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {/* Outside the label, so that the star is not part of the accessible name. */}
        {required && (
          <span aria-hidden="true" className="text-danger">
            *
          </span>
        )}
      </div>
      {hint && (
        <div id={`${id}-hint`} className="text-ink-soft text-sm">
          {hint}
        </div>
      )}
      {children({
        id,
        "aria-describedby": describedBy || undefined,
        "aria-invalid": error ? true : undefined,
        "aria-required": required || undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 font-semibold text-danger text-sm">
          <ErrorGlyph />
          <span>
            <span className="sr-only">Error: </span>
            {error}
          </span>
        </p>
      )}
      {(echo || (echo === "" && !error)) && (
        <p id={`${id}-echo`} className="text-ink-soft text-sm tabular-nums">
          {echo || "\u00a0"}
        </p>
      )}
      {changed && <ChangedMark id={`${id}-changed`} change={changed} />}
    </div>
  );
}

function ErrorGlyph() {
  return (
    <svg viewBox="0 0 20 20" fill="currentColor" aria-hidden="true" className="mt-0.5 size-4.5 shrink-0">
      <path d="M10 1.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17Zm-1 4.25h2v5.5H9v-5.5Zm1 9.1a1.2 1.2 0 1 1 0-2.4 1.2 1.2 0 0 1 0 2.4Z" />
    </svg>
  );
}
