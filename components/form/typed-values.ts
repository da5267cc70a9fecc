import { keepDraft, restoreDraft } from "@/lib/client/drafts";
import { forgetDraft } from "@/lib/client/forget-drafts";
import {
  type AnswerName,
  type ApplicationAnswers,
  type ApplicationView,
  lockedAnswers,
  savedAnswers,
} from "@/lib/domain/application";

/** Short enough that nobody waits for it, long enough that a word costs the form one rendering and not one a letter. */
const pause = 250;

export type TypedValues = ReturnType<typeof typedValues>;

/**
 * What is typed, ahead of the form that shows it: text is the browser's while it is typed (see useTypedText), and waits here
 * until the typing pauses, the field is left or the form is sent. What is not saved yet is kept on this device, at every
 * such pause and when the page is left, and is there again at the next visit.
 */
export function typedValues({ reference, invited }: ApplicationView, shown: ApplicationAnswers) {
  const draft = restoreDraft(reference, shown);
  for (const name of lockedAnswers(invited)) delete draft.answers[name];
  let saved = shown;
  let values: ApplicationAnswers = { ...shown, ...draft.answers };
  let countries = draft.countries;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAhead = false;
  let isClosed = false;
  /** Hands the values to the form; `inAPause` is a moment that nobody waits for. */
  let onCommit: (values: ApplicationAnswers, inAPause: boolean) => void = () => {};

  const keep = () => {
    if (!isClosed) keepDraft(reference, values, saved, countries);
  };

  function commit(inAPause = false): void {
    clearTimeout(timer);
    isAhead = false;
    keep();
    onCommit(values, inAPause);
  }

  return {
    isRestored: Object.keys(draft.answers).length > 0,
    get values() {
      return values;
    },
    countryOf: (name: AnswerName): string | undefined => countries[name],
    /** For text: the form hears of it when the typing pauses. */
    type(name: AnswerName, text: string): void {
      values = { ...values, [name]: text };
      isAhead = true;
      clearTimeout(timer);
      timer = setTimeout(() => commit(true), pause);
    },
    /** For answers from which others follow at once. */
    answer(changes: Partial<ApplicationAnswers>): void {
      values = { ...values, ...changes };
      commit();
    },
    /** The country picked for a phone number, which the digits alone do not tell; they come with the next `answer`. */
    pickCountry(name: AnswerName, code: string): void {
      countries = { ...countries, [name]: code };
    },
    flush(): void {
      if (isAhead) commit();
    },
    /** What the server holds now need not be kept here, and is shown where the person has typed nothing else since `sent`. */
    adopt(held: ApplicationAnswers, sent: Partial<ApplicationAnswers>): void {
      const known = { ...saved, ...sent };
      const newer = savedAnswers.filter((name) => values[name] === known[name] && values[name] !== held[name]);
      saved = held;
      values = { ...values, ...Object.fromEntries(newer.map((name) => [name, held[name]])) };
      if (newer.length > 0) commit(true);
      else keep();
    },
    /** Submitted: what was typed is not kept any longer. */
    forget(): void {
      isClosed = true;
      forgetDraft(reference);
    },
    /** Begins to keep what is typed; returns how to stop. */
    attach(listener: typeof onCommit): () => void {
      onCommit = listener;
      isClosed = false;
      window.addEventListener("pagehide", keep);
      document.addEventListener("visibilitychange", keep);
      return () => {
        keep();
        isClosed = true;
        clearTimeout(timer);
        window.removeEventListener("pagehide", keep);
        document.removeEventListener("visibilitychange", keep);
      };
    },
  };
}
