import { type ChangeEvent, type CompositionEvent, useEffect, useRef, useState } from "react";
import { addedText } from "@/lib/domain/added-text";

/**
 * How a text came into an input: by one key; at once, as by pasting or autofill; in a composition that has not ended; or back by
 * undo or redo.
 */
type Entry = "typed" | "pasted" | "composing" | "restored";

/** Reads what was entered in place of the text `before`, and returns what the input is to show. */
export type ReadEntry = (entered: string, entry: Entry, before: string) => string;

/** Whether text was pasted, dropped or filled in by the browser rather than typed, even if it is one character. */
function isPasted(before: string, { value }: HTMLInputElement, event: InputEvent | null): boolean {
  return [...addedText(before, value)].length > 1 || /^insert(From|Replacement)/.test(event?.inputType ?? "");
}

/** Setting `value` moves the caret to the end, so this restores its distance from the end. An email input tells no caret. */
function rewrite(input: HTMLInputElement, text: string): void {
  const { value, selectionStart } = input;
  if (value === text) return;
  input.value = text;
  if (selectionStart === null) return;
  const caret = Math.max(0, text.length - (value.length - selectionStart));
  input.setSelectionRange(caret, caret);
}

/**
 * The props of an input that shows `text`, and whose entries `read` may rewrite. Autofill does not replace the text of an
 * invitation.
 */
export function useTextInput(text: string, read: ReadEntry, isInvited = false) {
  /** The text that an input method is composing. It stays as it is, because the input method would insert a rewritten one again. */
  const [composed, setComposed] = useState<string | null>(null);
  const beforeComposition = useRef(text);
  /** The texts that the input has shown. */
  const shown = useRef(new Set<string>());
  useEffect(() => void shown.current.add(text), [text]);

  return {
    value: composed ?? text,
    onCompositionStart() {
      beforeComposition.current = text;
    },
    onChange({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
      const event = nativeEvent as InputEvent;
      if (event.isComposing) {
        setComposed(target.value);
        read(target.value, "composing", text);
      } else if (event.inputType?.startsWith("history")) {
        // The browser's history does not know a rewritten text, so undo and redo may mix it with another one.
        const isKnown = shown.current.has(target.value);
        rewrite(target, isKnown ? read(target.value, "restored", text) : text);
      } else if (isInvited && target.matches(":-webkit-autofill")) rewrite(target, text);
      else rewrite(target, read(target.value, isPasted(text, target, event) ? "pasted" : "typed", text));
    },
    onCompositionEnd({ currentTarget }: CompositionEvent<HTMLInputElement>) {
      setComposed(null);
      const before = beforeComposition.current;
      const entry = isPasted(before, currentTarget, null) ? "pasted" : "typed";
      rewrite(currentTarget, read(currentTarget.value, entry, before));
    },
  };
}
