import { useEffect, useSyncExternalStore } from "react";
import { removeOldDrafts } from "@/lib/client/draft-expiry";
import {
  addToDraft,
  announceDraftChange,
  type Draft,
  onDraftChange,
  readDraft,
  storedDraft,
  writeDraft,
} from "@/lib/client/draft-storage";
import {
  type AnswerName,
  type ApplicationAnswers,
  type ApplicationView,
  fitsSource,
  lockedAnswers,
  namesOf,
} from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import { unsavedSteps } from "@/lib/domain/shown-answers";
import type { StepValues } from "./form-state";

interface DraftOptions extends Pick<ApplicationView, "reference" | "invited"> {
  source: string;
  latestSaved: () => ApplicationAnswers;
}

/** The unsaved answers of an application on this device, which all tabs share. Renders again when another tab changes them. */
export function useDraft({ reference, invited, source, latestSaved }: DraftOptions) {
  useEffect(() => void removeOldDrafts(), []);
  useSyncExternalStore(onDraftChange, () => storedDraft(reference));

  function over(answers: ApplicationAnswers): Draft {
    const draft = readDraft(reference, answers);
    // An answer typed under a link with another source may have no field now, and then nobody could correct it.
    const hidden = (Object.keys(draft.answers) as AnswerName[]).filter((name) => !fitsSource(name, source));
    for (const name of [...lockedAnswers(invited), ...hidden]) delete draft.answers[name];
    return draft;
  }

  return {
    over,

    unsavedOver: (answers: ApplicationAnswers) => unsavedSteps({ ...answers, ...over(answers).answers }, answers),

    /** Adds what is typed. `sent` are those of the answers that are being saved now. */
    write(changes: Partial<ApplicationAnswers>, countries: Draft["countries"] = {}, sent: StepValues = {}): void {
      const base = latestSaved();
      addToDraft(reference, over(base), changes, base, countries, sent);
    },

    /** Discards the draft of a step, so that the step shows its saved answers. */
    discardStep(step: AnswerStep): void {
      const names = namesOf(step);
      const without = <T>(values: Record<string, T>) =>
        Object.fromEntries(Object.entries(values).filter(([name]) => !names.some((stepName) => stepName === name)));
      const base = latestSaved();
      const draft = over(base);
      writeDraft(reference, { ...draft, answers: without(draft.answers), countries: without(draft.countries) }, base);
      announceDraftChange();
    },
  };
}
