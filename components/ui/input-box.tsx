import type { ChangeEvent, ReactNode } from "react";
import { addedText } from "@/lib/domain/added-text";
import { type Change, changedBox } from "./changed-mark";

interface InputBoxProps {
  error?: string;
  changed?: Change;
  readOnly?: boolean;
  children: ReactNode;
}

/** Returns the classes of one state only. With two border classes, the order in the stylesheet would decide. */
function stateClasses({ error, changed, readOnly }: Omit<InputBoxProps, "children">): string {
  if (error) return "border-danger bg-surface ring-1 ring-danger";
  if (readOnly) return "border-line-strong bg-paper text-ink-soft";
  return changed ? changedBox[changed.style ?? "default"] : "border-line-strong bg-surface";
}

/**
 * Draws one border and focus ring around an input and its prefix ('$' or a flag). It uses `:focus-within`, because older
 * browsers lack `:has`, and a date input never matches `:focus-visible` in WebKit: the focus is on a part inside it.
 */
export function InputBox({ error, changed, readOnly, children }: InputBoxProps) {
  const boxClasses = stateClasses({ error, changed, readOnly });
  return (
    <div
      className={`flex min-h-12 flex-wrap items-stretch overflow-clip rounded-md border ${boxClasses} focus-within:outline-3 focus-within:outline-focus focus-within:outline-offset-2`}
    >
      {children}
    </div>
  );
}

/**
 * Classes of the input inside an InputBox, which draws the border and the focus ring. The input inherits the box's
 * background, because on a transparent one WebKit does not dim the untyped parts of a date.
 */
export const boxedInput = "min-w-0 grow bg-inherit px-3.5 py-2.5 text-inherit outline-none";

/** Whether text was pasted, dropped or filled in by the browser rather than typed, even if it is one character. */
export function isPasted(before: string, { target, nativeEvent }: ChangeEvent<HTMLInputElement>): boolean {
  const { inputType = "" } = nativeEvent as InputEvent;
  return addedText(before, target.value).length > 1 || /^insert(From|Replacement)/.test(inputType);
}
