import { useLayoutEffect, useRef } from "react";

const differs = () => false;

/**
 * An uncontrolled input: its value is set only when the answer changes from elsewhere, and not where the text already
 * means the same. The form may hear of what is typed only once the field is left. So formatting does not interfere with caret, paste or undo, and a keystroke renders nothing.
 */
export function useTypedText(text: string, meansSame: (typed: string, isFocused: boolean) => boolean = differs) {
  const input = useRef<HTMLInputElement>(null);
  const initial = useRef(text);
  const same = useRef(meansSame);
  same.current = meansSame;

  useLayoutEffect(() => {
    const element = input.current;
    if (!element || element.value === text) return;
    if (same.current(element.value, document.activeElement === element)) return;
    element.value = text;
  }, [text]);

  return { ref: input, defaultValue: initial.current };
}
