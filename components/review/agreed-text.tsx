import { LocalTime } from "@/components/site/local-time";
import { Icon } from "@/components/ui/icon";
import type { AgreedConsent, ConsentAnswers } from "@/lib/domain/application";
import { readConsentDocument } from "@/lib/domain/consent";

const box = "M5 2h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3Z";
const tick = "M6 10.5l3 3 5.5-7";

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
            <Icon path={isTicked ? `${box}${tick}` : box} size={20} width={1.6} className="mt-0.5 size-5 shrink-0" />
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
