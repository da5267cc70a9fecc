"use client";

import { useSession } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { SupportContacts } from "@/components/site/support-contacts";
import { ButtonLink } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import type { ApplicationView } from "@/lib/domain/application";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { type StatusWords, statusWords } from "@/lib/domain/status-words";
import { ReferenceCard } from "./reference-card";

export interface StatusProps {
  application: ApplicationView & { status: SubmittedStatus };
}

/** The content of every page of a submitted application: its status, what comes next, and whom to ask. */
export function StatusDetails({ application, heading }: StatusProps & { heading: React.ReactNode }) {
  const brand = useBrand();
  const words = statusWords(brand)[application.status];
  return (
    <>
      <div className="grid grid-cols-1 gap-4">
        <StatusBadge status={application.status} />
        {heading}
        <p className="text-ink-soft sm:text-lg">{words.text}</p>
      </div>
      <div className="grid grid-cols-1 gap-4">
        <ReferenceCard application={application} />
        <div>
          <ReceiptLink />
        </div>
      </div>
      <NextSteps words={words} />
      <section aria-labelledby="questions" className="border-line border-t pt-6">
        <h2 id="questions" className="font-bold text-xl">
          Any questions?
        </h2>
        <p className="mt-1 mb-2 text-ink-soft">Quote your reference and we'll find your application straight away.</p>
        <SupportContacts brand={brand} />
      </section>
    </>
  );
}

function NextSteps({ words }: { words: StatusWords }) {
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps" className="font-bold text-xl">
        {words.nextHeading}
      </h2>
      <ol className="mt-5">
        {words.next.map(({ title, text }, index) => (
          <li key={title} className="group relative flex gap-4 pb-7 last:pb-0">
            <span
              aria-hidden="true"
              className="absolute top-10 bottom-0 left-5 -ml-px border-accent border-l-2 border-dashed group-last:hidden"
            />
            <span
              aria-hidden="true"
              className="grid size-10 shrink-0 place-items-center rounded-full bg-brand-soft font-bold text-brand tabular-nums"
            >
              {index + 1}
            </span>
            <div className="min-w-0 pt-2">
              <h3 className="font-semibold">{title}</h3>
              <p className="text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

const check = "m5 12.5 4.5 4.5L19 7.5";
const glyphs: Record<SubmittedStatus, { path: string; colours: string }> = {
  submitted: { path: check, colours: "bg-success-soft text-success" },
  "in-review": {
    path: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4.5V12l3 2",
    colours: "bg-accent-soft text-accent-strong",
  },
  approved: { path: check, colours: "bg-success-soft text-success" },
  declined: { path: "M6 12h12", colours: "bg-line text-ink-soft" },
};

/** Hidden from screen readers, because the heading beside it says the same. */
function StatusBadge({ status }: { status: SubmittedStatus }) {
  const { path, colours } = glyphs[status];
  return (
    <span className={`grid size-16 place-items-center rounded-full ${colours}`}>
      <Icon path={path} width={2.5} className="size-9" />
    </span>
  );
}

/**
 * Verifies the token again, so that the receipt shows what the server has stored and not the session's copy. A reload would
 * use the stored token, which a link opened in another tab may have replaced.
 */
function ReceiptLink() {
  const { verify } = useSession();
  return (
    <ButtonLink href="/receipt" kind="secondary" onNavigate={verify} className="w-full sm:w-auto">
      Print or save your receipt
    </ButtonLink>
  );
}
