import type { ReactNode } from "react";
import { type Change, ChangedMark } from "./changed-mark";
import { ErrorGlyph } from "./error-glyph";

/** What every field of the house may be told, whatever it holds. */
export interface FieldProps {
  /** Unique on the page; the error summary links to it. */
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string;
  required?: boolean;
  /** What the answer was before the person changed it. */
  changed?: Change;
}

/** What a control needs to belong to its label, hint, mark and error. */
export interface Wiring {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  "aria-required": true | undefined;
}

interface FieldFrameProps extends FieldProps {
  children: (wiring: Wiring) => ReactNode;
  /** Stands below the control, such as a date in words; an empty text keeps its line free, so that nothing jumps when it comes. */
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
        {/* Outside the label: the star is for the eye, the name of the field stays its words alone. */}
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
      {(echo || echo === "") && (
        <p id={`${id}-echo`} className="text-ink-soft text-sm tabular-nums">
          {echo || "\u00a0"}
        </p>
      )}
      {changed && <ChangedMark id={`${id}-changed`} change={changed} />}
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 font-semibold text-danger text-sm">
          <ErrorGlyph />
          <span>
            <span className="sr-only">Error: </span>
            {error}
          </span>
        </p>
      )}
    </div>
  );
}
