import { useState } from "react";
import { useRenderedConsent } from "@/components/site/consent-context";
import type { ApplicationAnswers } from "@/lib/domain/application";
import type { ShownConsent } from "@/lib/domain/reviewed";

export type Reviewed = ReturnType<typeof useReviewed>;

/** What the person had read before something changed elsewhere: the review marks the difference. */
interface ReadBefore {
  answers: ApplicationAnswers;
  consent: ShownConsent;
}

/**
 * The consent document on the screen, and what had been read before. Kept here and not in the session, because what a
 * submission says was read has to be what this screen shows.
 */
export function useReviewed(saved: ApplicationAnswers) {
  const rendered = useRenderedConsent();
  const [consent, setConsent] = useState(rendered);
  const [before, setBefore] = useState<ReadBefore | null>(null);
  return {
    consent,
    before,
    /** A step was saved with these answers: whatever else has changed with it, this screen had not shown. */
    noteSave(own: Partial<ApplicationAnswers>): void {
      setBefore((earlier) => ({ consent, ...earlier, answers: { ...(earlier?.answers ?? saved), ...own } }));
    },
    /** The submission of what is on the screen was refused; `text` is the one in force, if it is another. */
    noteRefusal(text: ShownConsent | undefined): void {
      setBefore({ answers: saved, consent });
      if (text) setConsent(text);
    },
  };
}
