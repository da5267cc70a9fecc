"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useApplication } from "@/components/session/session-context";
import { useMoney } from "@/components/site/use-money";
import { MoneyField } from "@/components/ui/money-field";
import { addToDraft, readDraft } from "@/lib/client/draft-storage";
import { clampAdvance, loanAmountFor, maximumAdvance, weeksOfRent } from "@/lib/domain/advance";
import { centsOf, isSameAmount, pastedAmount } from "@/lib/domain/money";
import { shownAnswers } from "@/lib/domain/shown-answers";

/**
 * The most that the applicant could access, and a field for the rent from which it is estimated. What is typed here is the typed rent
 * of step 3, so once that step is saved there is no field.
 */
export function RentEstimate() {
  const { application, source } = useApplication();
  const { whole, symbol } = useMoney();
  const [rent, setRent] = useState("");
  const panel = useRef<HTMLDivElement>(null);
  const estimate = centsOf(rent) > 0 ? clampAdvance(centsOf(rent) * weeksOfRent) : maximumAdvance;

  const saved = shownAnswers(application, source);

  function type(currentRent: string): void {
    setRent(currentRent);
    const draft = readDraft(application.reference, saved);
    const typed = { ...saved, ...draft.answers };
    if (isSameAmount(currentRent, typed.currentRent)) return;
    const loanAmount = loanAmountFor({ ...typed, currentRent });
    addToDraft(application.reference, draft, { currentRent, loanAmount }, saved);
  }

  const start = useEffectEvent(() => {
    // React has heard no event for text that was typed before the scripts had loaded.
    const early = panel.current?.querySelector("input")?.value;
    if (early) type(pastedAmount(early) ?? early);
    else if (panel.current) setRent(readDraft(application.reference, saved).answers.currentRent ?? "");
  });
  useEffect(() => start(), []);

  return (
    <>
      <p className="text-white/80">You could access up to</p>
      <p role="status" className="font-bold text-5xl tabular-nums">
        {whole(estimate)}
      </p>
      {!application.savedSteps.includes(3) && (
        <div ref={panel} className="on-light mt-5 rounded-lg border border-transparent p-4">
          <MoneyField
            id="weeklyRent"
            label="Your weekly rent"
            symbol={symbol}
            value={rent}
            onChange={type}
            onUnreadable={type}
          />
          <p className="mt-1.5 text-ink-soft text-sm">
            {`${weeksOfRent} weeks of rent, up to ${whole(maximumAdvance)}: an estimate, not an offer.`}
          </p>
        </div>
      )}
    </>
  );
}
