import { keepDraft, restoreDraft } from "@/lib/client/drafts";
import { draftKey, forgetDraft } from "@/lib/client/forget-drafts";
import {
  type AnswerName,
  type ApplicationAnswers,
  type ApplicationView,
  lockedAnswers,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";

/** Too short to wait for, and long enough that the form renders once per word instead of once per letter. */
const pause = 250;

export type TypedValues = ReturnType<typeof typedValues>;

/**
 * The latest values, outside of React, so that a key renders only what shows its answer (useShown). Text inputs are
 * uncontrolled while somebody types (useTypedText); their values are shown once the typing pauses, if the screen tells
 * anything else of them, and in any case once the field is left or the form is sent. Values that are not saved yet are
 * written to the draft at each pause, at the same moments and when the page is left, and restored at the next visit.
 */
export function typedValues({ reference, invited }: ApplicationView, held: ApplicationAnswers) {
  let saved = held;
  function readDraft() {
    const draft = restoreDraft(reference, saved);
    for (const name of lockedAnswers(invited)) delete draft.answers[name];
    return draft;
  }

  const draft = readDraft();
  let values: ApplicationAnswers = { ...held, ...draft.answers };
  let shown = values;
  let countries = draft.countries;
  let kept = { values, saved, countries };
  /** What another tab has typed and not saved, and this one has taken over. */
  let followed: Partial<ApplicationAnswers> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAhead = false;
  let isClosed = false;
  const listeners = new Set<() => void>();

  // Only what has changed here: otherwise a tab that is merely looked at would remove what another one has typed.
  const isKept = () => kept.values === values && kept.saved === saved && kept.countries === countries;

  const keep = () => {
    if (isClosed || isKept()) return;
    keepDraft(reference, values, saved, countries);
    kept = { values, saved, countries };
  };

  function render(): void {
    shown = values;
    for (const listener of listeners) listener();
  }

  function show(): void {
    clearTimeout(timer);
    isAhead = false;
    keep();
    render();
  }

  /** Takes over what another tab has typed and not saved, where nothing is typed here; drops what is gone there since. */
  function follow(names = savedAnswers): void {
    const { answers } = readDraft();
    const free = names.filter((name) => values[name] === saved[name] || values[name] === followed[name]);
    const changed = free.filter((name) => values[name] !== (answers[name] ?? saved[name]));
    followed = answers;
    if (changed.length === 0) return;
    const wasKept = isKept();
    values = { ...values, ...Object.fromEntries(changed.map((name) => [name, answers[name] ?? saved[name]])) };
    if (wasKept) kept = { values, saved, countries };
    render();
  }

  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === draftKey(reference)) follow();
  };

  return {
    isRestored: Object.keys(draft.answers).length > 0,
    get values() {
      return values;
    },
    /** `values`, but for text that is still being typed. */
    shown: () => shown,
    /** Calls the listener whenever other values are shown. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    countryOf: (name: AnswerName): string | undefined => countries[name],
    /** For text. `isTold`: something else on the screen tells of it, so that it is shown once the typing pauses. */
    type(name: AnswerName, text: string, isTold: boolean): void {
      values = { ...values, [name]: text };
      isAhead = true;
      clearTimeout(timer);
      timer = setTimeout(isTold ? show : keep, pause);
    },
    /** For answers that others are computed from, or that are read out in words: shown at once. */
    answer(changes: Partial<ApplicationAnswers>): void {
      values = { ...values, ...changes };
      show();
    },
    /** Countries share dial codes, so the digits do not tell which was picked. Shown with the next answer. */
    pickCountry(name: AnswerName, code: string): void {
      countries = { ...countries, [name]: code };
    },
    flush(): void {
      if (isAhead) show();
    },
    /** What the server holds now need not be kept here, and is shown where the person has typed nothing else since `sent`. */
    adopt(held: ApplicationAnswers, sent: Partial<ApplicationAnswers>): void {
      const known = { ...saved, ...sent };
      const newer = savedAnswers.filter((name) => values[name] === known[name] && values[name] !== held[name]);
      saved = held;
      values = { ...values, ...Object.fromEntries(newer.map((name) => [name, held[name]])) };
      follow(savedAnswers.filter((name) => !(name in sent)));
      if (newer.length > 0) show();
      else keep();
    },
    follow: () => follow(),
    /** Takes these answers back to what is saved. */
    undo(names: SavedAnswer[]): void {
      values = { ...values, ...Object.fromEntries(names.map((name) => [name, saved[name]])) };
      countries = Object.fromEntries(Object.entries(countries).filter(([name]) => !names.some((one) => one === name)));
      show();
    },
    /** After submission: removes the draft and writes no other. */
    forget(): void {
      isClosed = true;
      forgetDraft(reference);
    },
    /** Starts to write drafts; returns a function that stops it. */
    attach(): () => void {
      isClosed = false;
      window.addEventListener("storage", onStorage);
      window.addEventListener("pagehide", keep);
      document.addEventListener("visibilitychange", keep);
      return () => {
        keep();
        isClosed = true;
        clearTimeout(timer);
        window.removeEventListener("storage", onStorage);
        window.removeEventListener("pagehide", keep);
        document.removeEventListener("visibilitychange", keep);
      };
    },
  };
}
