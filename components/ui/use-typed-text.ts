import { useLayoutEffect, useRef } from "react";

const identical = (one: string, other: string) => one === other;

/**
 * While a person types, the text is the browser's: it is written only when the answer changes from elsewhere,
 * and not where what stands there already means the same. So no formatting ever fights a caret, a paste or an undo,
 * and a keystroke costs no rendering.
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
