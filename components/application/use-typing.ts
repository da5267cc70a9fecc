import { useCallback, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import type { AnswerName, FormValues } from "./form-values";

/** Short enough that nobody waits for it, long enough that a word costs the form one pass and not one a letter. */
const pause = 250;

/**
 * Text is the browser's while it is typed (see useTypedText); here it waits until the typing pauses, the field is left
 * or the form is sent.
 */
export function useTyping(formValues: FormValues, setValues: (values: FormValues) => void) {
  const latest = useRef(formValues);
  const waiting = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (!waiting.current) latest.current = formValues;

  const commit = useCallback(() => {
    clearTimeout(timer.current);
    waiting.current = false;
    setValues(latest.current);
  }, [setValues]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const type = useCallback(
    (name: AnswerName, text: string) => {
      latest.current = { ...latest.current, [name]: text };
      waiting.current = true;
      clearTimeout(timer.current);
      // Rendered in the same breath: a letter typed between commit and rendering must not be written over.
      timer.current = setTimeout(() => flushSync(commit), pause);
    },
    [commit],
  );

  const answer = useCallback(
    (changes: Partial<FormValues>) => {
      latest.current = { ...latest.current, ...changes };
      commit();
    },
    [commit],
  );

  const flush = useCallback(() => {
    if (waiting.current) commit();
  }, [commit]);

  return { type, answer, flush, latest };
}
