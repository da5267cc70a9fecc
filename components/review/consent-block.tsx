import { useBrand } from "@/components/site/brand-context";
import { Checkbox } from "@/components/ui/checkbox";
import type { ConsentAnswers } from "@/lib/domain/application";
import { consentText, isConsentGiven, toggleConsent } from "@/lib/domain/consent";

interface ConsentBlockProps {
  consent: ConsentAnswers;
  onChange: (consent: ConsentAnswers) => void;
  disabled: boolean;
}

/** The text is in lib/domain/consent.ts, because a submission records it word for word. */
export function ConsentBlock({ consent, onChange, disabled }: ConsentBlockProps) {
  const { paragraphs, boxes } = consentText(useBrand());
  const box = (name: keyof ConsentAnswers) => (
    <Checkbox
      id={name}
      checked={consent[name]}
      disabled={disabled}
      required={name === "confirmLoan"}
      onTick={(ticked) => onChange(toggleConsent(consent, name, ticked))}
    >
      {boxes[name]}
    </Checkbox>
  );
  return (
    <section
      aria-labelledby="consent-title"
      className="rounded-lg border border-line bg-paper p-[min(1rem,4.2vw)] sm:p-6"
    >
      <h2 id="consent-title" className="font-semibold text-lg">
        Consent & Agreement
      </h2>
      <div className="mt-2 flex flex-col gap-2">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      <fieldset className="mt-4 min-w-0">
        <legend className="font-semibold">
          Who gives us the information and documents? Choose one: ticking one clears the other.
        </legend>
        <div className="mt-1 flex flex-col">
          {box("authoriseAgent")}
          {box("provideSelf")}
        </div>
      </fieldset>
      <div className="mt-2 border-line border-t pt-2">{box("confirmLoan")}</div>
    </section>
  );
}

/** Why Submit is disabled, shown above it; undefined if it is enabled. */
export function whyBlocked(consent: ConsentAnswers): string | undefined {
  if (isConsentGiven(consent)) return undefined;
  const needs = [
    consent.authoriseAgent === consent.provideSelf && "choose who gives us the information",
    !consent.confirmLoan && "tick the last box to confirm your application",
  ];
  return `To submit, ${needs.filter(Boolean).join(", and ")}.`;
}
