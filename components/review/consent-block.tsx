import { useBrand } from "@/components/site/brand-context";
import { ChangedMark } from "@/components/ui/changed-mark";
import { Checkbox } from "@/components/ui/checkbox";
import type { ConsentAnswers } from "@/lib/domain/application";
import { isConsentGiven, readConsentDocument, toggleConsent } from "@/lib/domain/consent";
import type { ShownConsent } from "@/lib/domain/reviewed";

interface ConsentBlockProps {
  text: ShownConsent;
  /** The text that the person had read. */
  read?: ShownConsent;
  consent: ConsentAnswers;
  onChange: (consent: ConsentAnswers) => void;
  disabled: boolean;
}

/** What the applicant agrees to: the document that a submission names by its hash, part by part. */
export function ConsentBlock({ text, read = text, consent, onChange, disabled }: ConsentBlockProps) {
  const { licence, privacyUrl } = useBrand();
  const { paragraphs, boxes } = readConsentDocument(text.document, consent);
  const mark = (part: string) =>
    !read.document.includes(part) && <ChangedMark change={{ from: "", sinceRead: true }} />;
  const [authorise, provide, confirm] = boxes.map(({ name, label, isTicked }) => (
    <div key={name}>
      <Checkbox
        id={name}
        checked={isTicked}
        disabled={disabled}
        required={name === "confirmLoan"}
        onTick={(ticked) => onChange(toggleConsent(consent, name, ticked))}
      >
        {label}
      </Checkbox>
      {mark(label)}
    </div>
  ));
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
          <div key={paragraph} className="flex flex-col gap-1">
            <p>{paragraph}</p>
            {mark(paragraph)}
          </div>
        ))}
      </div>
      <p className="mt-2 text-ink-soft text-sm">
        {licence}.{" "}
        <a href={privacyUrl} target="_blank" rel="noopener noreferrer" className="link inline-block py-2.5">
          Privacy notice (opens in a new tab)
        </a>
      </p>
      <fieldset className="mt-4 min-w-0">
        <legend className="font-semibold">
          Who gives us the information and documents? Choose one: ticking one clears the other.
        </legend>
        <div className="mt-1 flex flex-col">
          {authorise}
          {provide}
        </div>
      </fieldset>
      <div className="mt-2 border-line border-t pt-2">{confirm}</div>
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
