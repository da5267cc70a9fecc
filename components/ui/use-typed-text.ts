import { useLayoutEffect, useRef } from "react";

const identical = (one: string, other: string) => one === other;

/**
 * An uncontrolled input: its value is set only when the answer changes from elsewhere, and not where the text already
 * means the same. So formatting does not interfere with caret, paste or undo, and a keystroke renders nothing.
 */
export function useTypedText(text: string, meansSame: (typed: string, text: string) => boolean = identical) {
  const input = useRef<HTMLInputElement>(null);
  const initial = useRef(text);
  const same = useRef(meansSame);
  same.current = meansSame;

  useLayoutEffect(() => {
    const element = input.current;
    if (!element || element.value === text) return;
    if (document.activeElement === element && same.current(element.value, text)) return;
    element.value = text;
  }, [text]);

  return { ref: input, defaultValue: initial.current };
}
