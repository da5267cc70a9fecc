import type { ChangeEvent, ReactNode } from "react";
import { addedText } from "@/lib/domain/added-text";
import { type Change, changedBox } from "./changed-mark";

interface InputBoxProps {
  error?: string;
  changed?: Change;
  readOnly?: boolean;
  children: ReactNode;
}

/** One state at a time: with two border classes, the order in the stylesheet would decide. */
function lookOf({ error, changed, readOnly }: Omit<InputBoxProps, "children">): string {
  if (error) return "border-danger bg-surface ring-1 ring-danger";
  if (readOnly) return "border-line-strong bg-paper text-ink-soft";
  return changed ? changedBox[changed.style ?? "default"] : "border-line-strong bg-surface";
}

/**
 * One border and focus ring around an input and what is beside it ('$', a flag). Not by `:focus-visible`, which a
 * date input never is in WebKit (the focus is on a part inside it), nor by `:has`, which older browsers lack.
 */
export function InputBox({ error, changed, readOnly, children }: InputBoxProps) {
  const look = lookOf({ error, changed, readOnly });
  return (
    <div
      className={`flex min-h-12 flex-wrap items-stretch overflow-clip rounded-md border ${look} focus-within:outline-3 focus-within:outline-focus focus-within:outline-offset-2`}
    >
      {children}
    </div>
  );
}

/**
 * The input inside an InputBox has no border or focus ring of its own. Its background is the box's and not transparent:
 * WebKit draws the parts of a date that are not typed yet pale only where it knows the background.
 */
export const boxedInput = "min-w-0 grow bg-inherit px-3.5 py-2.5 text-inherit outline-none";

/** Whether text came in otherwise than by a key: pasted, dropped or filled in by the browser, even if it is one character. */
export function isPasted(before: string, { target, nativeEvent }: ChangeEvent<HTMLInputElement>): boolean {
  const { inputType = "" } = nativeEvent as InputEvent;
  return addedText(before, target.value).length > 1 || /^insert(From|Replacement)/.test(inputType);
}
