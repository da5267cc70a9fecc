import { useState } from "react";
import { useRenderedConsent } from "@/components/site/consent-context";
import type { ApplicationAnswers } from "@/lib/domain/application";
import type { ShownConsent } from "@/lib/domain/reviewed";

export type Reviewed = ReturnType<typeof useReviewed>;

/** What the person had read before something changed elsewhere: the review marks the difference. */
interface Read {
  answers: ApplicationAnswers;
  consent: ShownConsent;
}

/**
 * The consent text on the screen, and what was read before. Kept here and not in the session, because what a submission
 * says was read has to be what this screen shows.
 */
export function useReviewed() {
  const rendered = useRenderedConsent();
  const [consent, setConsent] = useState(rendered);
  const [read, setRead] = useState<Read>();
  function outdate(answers: ApplicationAnswers, text = consent): void {
    setRead({ answers, consent });
    setConsent(text);
  }
  return { consent, read, outdate };
}
