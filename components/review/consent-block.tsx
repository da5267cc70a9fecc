import { useBrand } from "@/components/site/brand-context";
import { ChangedMark } from "@/components/ui/changed-mark";
import { Checkbox } from "@/components/ui/checkbox";
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
  const box = (name: keyof ConsentAnswers) => (
    <div>
      <Checkbox
        id={name}
        checked={consent[name]}
        disabled={disabled}
        required={name === "confirmLoan"}
        onTick={(ticked) => onChange(toggleConsent(consent, name, ticked))}
      >
        {boxes[name]}
      </Checkbox>
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
