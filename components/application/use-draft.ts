import { useEffect, useState } from "react";
import { keepDraft, restoreDraft } from "@/lib/client/drafts";
import { type ApplicationView, lockedWhenInvited } from "@/lib/domain/application";
import { type FormValues, isLocked } from "./form-values";

/** What this device kept of an earlier visit, read once. */
export function useRestoredDraft(application: ApplicationView, saved: FormValues) {
  const [restored] = useState(() => {
    const { answers, countries } = restoreDraft(application.reference, saved);
    for (const name of lockedWhenInvited) if (isLocked(application, name)) delete answers[name];
    return { answers, countries, isAny: Object.keys(answers).length > 0 };
  });
  return restored;
}

interface Keeping {
  reference: string;
  saved: FormValues;
  values: FormValues;
  countries: Record<string, string>;
  /** What is typed and has not reached the form yet. */
  latest: { readonly current: FormValues };
}

/** Keeps the unsaved answers on this device, at every pause of the typing and when the page is left. */
export function useDraftKeeping({ reference, saved, values, countries, latest }: Keeping): void {
  useEffect(() => keepDraft(reference, values, saved, countries), [reference, values, saved, countries]);

  useEffect(() => {
    const keep = () => keepDraft(reference, latest.current, saved, countries);
    window.addEventListener("pagehide", keep);
    document.addEventListener("visibilitychange", keep);
    return () => {
      window.removeEventListener("pagehide", keep);
      document.removeEventListener("visibilitychange", keep);
    };
  }, [reference, saved, countries, latest]);
}
