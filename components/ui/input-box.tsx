import type { ReactNode } from "react";
import { type Change, changedBoxStyle } from "./changed-mark";

interface InputBoxProps {
  error?: string;
  changed?: Change;
  readOnly?: boolean;
  children: ReactNode;
}

/** The frame around an input and what stands beside it ('$', a flag): one border and one focus ring for all. */
export function InputBox({ error, changed, readOnly, children }: InputBoxProps) {
  const border = error ? "border-danger ring-1 ring-danger" : "border-line-strong";
  const ground = readOnly ? "bg-paper text-ink-soft" : "bg-surface";
  return (
    <div
      className={`flex min-h-12 items-stretch overflow-clip rounded-md border ${border} ${ground} ${changedBoxStyle(changed)} has-[input:focus-visible]:outline-3 has-[input:focus-visible]:outline-focus has-[input:focus-visible]:outline-offset-2`}
    >
      {children}
    </div>
  );
}

/** For the input inside the box, which leaves its border and focus ring to the box. */
export const boxedInput = "min-w-0 grow bg-transparent px-3.5 py-2.5 text-inherit outline-none";
