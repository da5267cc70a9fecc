import { LocalTime } from "@/components/site/local-time";
import type { AgreedConsent, ConsentAnswers } from "@/lib/domain/application";
import { readConsentDocument } from "@/lib/domain/consent";

/** The text of the consent record, which may be an older version than the current one. */
export function AgreedText({ agreed, ticked }: { agreed: AgreedConsent; ticked: ConsentAnswers }) {
  const { paragraphs, boxes } = readConsentDocument(agreed.document, ticked);
  return (
    <section aria-labelledby="agreed" className="border-line border-t pt-5">
      <h2 id="agreed" className="font-semibold text-lg">
        What you agreed to
      </h2>
      <p className="mt-1 text-ink-soft text-sm">
        You agreed to version {agreed.version} of this text on <LocalTime instant={agreed.consentedAt} />.
      </p>
      <div className="mt-3 flex flex-col gap-2">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      <ul className="mt-4 flex flex-col gap-3">
        {boxes.map(({ label, isTicked }) => (
          <li key={label} className="flex gap-3">
            <BoxGlyph isTicked={isTicked} />
            <span className="min-w-0">
              <strong className="font-semibold">{isTicked ? "Ticked: " : "Not ticked: "}</strong>
              {label}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function BoxGlyph({ isTicked }: { isTicked: boolean }) {
  return (
    <svg
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="mt-0.5 size-5 shrink-0"
    >
      <rect x="2" y="2" width="16" height="16" rx="3" />
      {isTicked && <path d="m6 10.5 3 3 5.5-7" strokeWidth="2" />}
    </svg>
  );
}
