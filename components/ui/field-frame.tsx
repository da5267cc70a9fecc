import type { AriaAttributes, ReactNode } from "react";
import { type Change, ChangedMark, changedBox } from "./changed-mark";
import { exclamation, Icon } from "./icon";

export interface FieldProps {
  /** Unique on the page; the error summary links to it. */
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string;
  /**
   * Set by fields that can refuse typed input: whether `error` is such a refusal. It is announced, because the applicant is
   * still in the field, while any other error is read with the summary or on coming to the field.
   */
  refuses?: boolean;
  required?: boolean;
  readOnly?: boolean;
  /** The label of Enter on a phone's keyboard. Enter presses the Next button. */
  enterKeyHint?: "next" | "go";
  /** Whether the field still has the value of the invitation. */
  invited?: boolean;
  /** Set if the applicant has changed the value of the invitation. */
  changed?: Change;
}

interface FieldFrameProps extends FieldProps {
  /** Renders the input and its prefix ('$' or a flag). `controlProps` connect it with its label, hint, mark and error. */
  children: (
    controlProps: AriaAttributes & { id: string; name: string } & Pick<FieldProps, "enterKeyHint">,
  ) => ReactNode;
  /** About 12rem wide on a desktop, for an amount. */
  narrow?: boolean;
  /** Shown below the box. */
  after?: ReactNode;
  /** A button with which the person answers what the error asks. Below the box, so that Tab leads to it. */
  answer?: ReactNode;
  /** Shown below the box, such as a date in words. An empty string reserves the line, unless an error takes its place. */
  echo?: ReactNode;
}

/** Returns the classes of one state only. With two border classes, the order in the stylesheet would decide. */
function stateClasses({ error, changed, readOnly }: Pick<FieldProps, "error" | "changed" | "readOnly">): string {
  if (error) return "border-danger bg-surface ring-1 ring-danger forced-colors:border-3";
  if (readOnly) return "border-line-strong bg-paper text-ink-soft";
  return changed ? changedBox[changed.style ?? "default"] : "border-line-strong bg-surface";
}

/**
 * Draws one border and focus ring around an input and its prefix. It uses `:focus-within`, because older browsers lack `:has`,
 * and a date input never matches `:focus-visible` in WebKit: the focus is on a part inside it.
 */
export function FieldFrame({
  id,
  label,
  hint,
  error,
  refuses,
  required,
  changed,
  readOnly,
  enterKeyHint = "next",
  narrow,
  after,
  answer,
  echo,
  children,
}: FieldFrameProps) {
  const notes = [hint && `${id}-hint`, echo && `${id}-echo`, changed && `${id}-changed`, error && `${id}-error`];
  const describedBy = notes.filter(Boolean).join(" ");
  // On a phone it stands above the box, because the keyboard covers what is below.
  const message = error && (
    <p id={`${id}-error`} className="flex items-start gap-1.5 font-semibold text-danger text-sm sm:order-1">
      <Icon path={exclamation} className="mt-0.5 size-4.5 shrink-0" />
      <span>
        <span className="sr-only">Error: </span>
        <span>{error}</span>
      </span>
    </p>
  );
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div>
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {/* Outside the label, so that the star is not part of the accessible name. It stays on the line of the last word. */}
        {required && (
          <span aria-hidden="true" className="text-danger">
            {"\u00a0*"}
          </span>
        )}
      </div>
      {hint && (
        <div id={`${id}-hint`} className="text-ink-soft text-sm">
          {hint}
        </div>
      )}
      {refuses !== undefined && (
        <div role="status" className="empty:-mt-1.5 sm:order-1">
          {refuses && message}
        </div>
      )}
      {!refuses && message}
      <div
        className={`flex min-h-12 flex-wrap items-stretch overflow-clip rounded-md border ${narrow ? "sm:max-w-48" : ""} ${stateClasses({ error, changed, readOnly })} focus-within:outline-3 focus-within:outline-focus focus-within:outline-offset-2`}
      >
        {children({
          id,
          name: id,
          enterKeyHint,
          "aria-describedby": describedBy || undefined,
          "aria-invalid": error ? true : undefined,
          "aria-required": required || undefined,
        })}
      </div>
      {after}
      <div className="flex flex-col gap-1.5 empty:hidden sm:order-2">
        {answer}
        {(echo || (echo === "" && !error)) && (
          <p id={`${id}-echo`} className="text-ink-soft text-sm tabular-nums">
            {echo || "\u00a0"}
          </p>
        )}
        {changed && <ChangedMark id={`${id}-changed`} change={changed} />}
      </div>
    </div>
  );
}

/**
 * Classes of the input inside a FieldFrame, which draws the border and the focus ring. The input inherits the box's
 * background, because on a transparent one WebKit does not dim the untyped parts of a date.
 */
export const boxedInput = "min-w-0 grow bg-inherit px-[min(0.875rem,3.6vw)] py-2.5 text-inherit outline-none";
