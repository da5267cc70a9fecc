import { useBrand } from "@/components/site/brand-context";
import { ChangedMark } from "@/components/ui/changed-mark";
import type { ConsentAnswers } from "@/lib/domain/application";
import { toggleConsent } from "@/lib/domain/consent";
import type { ShownConsent } from "@/lib/domain/reviewed";

interface ConsentBlockProps {
  text: ShownConsent;
  /** The text that the applicant had read. */
  read?: ShownConsent;
  consent: ConsentAnswers;
  onChange: (consent: ConsentAnswers) => void;
  disabled: boolean;
}

/** A submission identifies this text by its hash and stores it word for word. */
export function ConsentBlock({ text, read = text, consent, onChange, disabled }: ConsentBlockProps) {
  const { licence, privacyUrl } = useBrand();
  const { paragraphs, boxes } = text;
  const wasRead = [...read.paragraphs, ...Object.values(read.boxes)];
  const mark = (part: string) => !wasRead.includes(part) && <ChangedMark change={{ sinceRead: true }} />;
  // The whole row of a box is the click target, at least 44 pixels high.
  const box = (name: keyof ConsentAnswers) => (
    <div>
      <div className="relative flex gap-[min(0.875rem,3.6vw)] rounded-md py-2.5">
        <input
          type="checkbox"
          id={name}
          name={name}
          checked={consent[name]}
          disabled={disabled}
          aria-required={name === "confirmLoan" || undefined}
          onChange={({ target }) => onChange(toggleConsent(consent, name, target.checked))}
          // Enter on a box would submit the application, which cannot be undone.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          className="relative z-10 mt-0.5 size-[min(1.5rem,7.5vw)] shrink-0 cursor-pointer accent-brand"
        />
        <label htmlFor={name} className="min-w-0 grow cursor-pointer wrap-anywhere before:absolute before:inset-0">
          {boxes[name]}
        </label>
      </div>
      {mark(boxes[name])}
    </div>
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
          <div key={paragraph}>
            <p>{paragraph}</p>
            {mark(paragraph)}
          </div>
        ))}
      </div>
      <p className="mt-2 text-ink-soft text-sm">
        {licence}.{" "}
        <a href={privacyUrl} target="_blank" rel="noopener noreferrer" className="link inline-block py-3">
          Privacy notice (opens in a new tab)
        </a>
      </p>
      <fieldset className="mt-4 min-w-0">
        <legend className="font-semibold">Who will give us your documents? Choose one.</legend>
        <div className="mt-1 flex flex-col">
          {box("authoriseAgent")}
          {box("provideSelf")}
        </div>
      </fieldset>
      <div className="mt-2 border-line border-t pt-2">{box("confirmLoan")}</div>
    </section>
  );
}

/** Why Submit is disabled, shown above it; undefined if it is enabled (specification, section 4). */
export function whyBlocked(consent: ConsentAnswers): string | undefined {
  const needs = [
    consent.authoriseAgent === consent.provideSelf && "choose who will give us your documents",
    !consent.confirmLoan && "tick the last box to confirm your application",
  ].filter(Boolean);
  return needs.length > 0 ? `To submit, ${needs.join(", and ")}.` : undefined;
}
