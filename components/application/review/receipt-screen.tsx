"use client";

import Link from "next/link";
import { ReferenceCard } from "@/components/outcome/reference-card";
import { ApplicantBar } from "@/components/session/applicant-bar";
import { LoadingScreen } from "@/components/session/gate";
import { useOnlySubmitted } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { LocalTime } from "@/components/site/local-time";
import { LogoMark } from "@/components/site/logo-mark";
import { SupportContacts } from "@/components/site/support-contacts";
import { WindowTitle } from "@/components/site/window-title";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Icon } from "@/components/ui/icon";
import { SummaryList } from "@/components/ui/summary-list";
import { openPage } from "@/lib/client/open-page";
import type { AgreedConsent, ConsentAnswers, ReceiptSection } from "@/lib/domain/application";
import { readConsentDocument } from "@/lib/domain/consent";
import { successPath } from "@/lib/domain/journey";
import { LargeAmount } from "./calculation-summary";
import { Evidence } from "./evidence";

/** The submitted answers and the agreed text, laid out for printing or saving as PDF. */
export function ReceiptScreen() {
  const application = useOnlySubmitted();
  const brand = useBrand();
  if (!application) return <LoadingScreen />;
  const { consent } = application;
  return (
    <div className="column pt-3 pb-6 sm:py-10 print:max-w-none print:p-0">
      <WindowTitle title="Your answers and consent" />
      <ApplicantBar />
      <Link
        prefetch={false}
        href={successPath}
        onNavigate={(event) => {
          event.preventDefault();
          openPage(successPath);
        }}
        className="link mb-3 inline-flex min-h-11 items-center print:hidden"
      >
        Back to your application
      </Link>
      <Card className="grid grid-cols-1 gap-6">
        {/* A letterhead, only in print, where the page's header is hidden. */}
        <div className="hidden items-center gap-2.5 print:flex">
          <LogoMark brand={brand} />
          <p className="font-bold text-lg tracking-tight">{brand.name}</p>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-4">
          <h1 className="font-bold text-2xl sm:text-3xl">Your receipt</h1>
          <Button onClick={() => window.print()} className="w-full sm:w-auto print:hidden">
            Print or save as PDF
          </Button>
        </div>
        <ReferenceCard application={application} />
        {consent && (
          <>
            <SentAnswers sections={consent.receipt} />
            <AgreedText agreed={consent} ticked={application} />
          </>
        )}
        <Evidence reference={application.reference} />
        <section aria-labelledby="lender" className="border-line border-t pt-5 print:grid print:grid-cols-2">
          <h2 id="lender" className="col-span-2 font-semibold text-lg">
            The lender
          </h2>
          <div className="mt-1">
            <p>{brand.legalName}</p>
            <p>{brand.companyNumber}</p>
            <p>{brand.licence}</p>
          </div>
          <SupportContacts />
        </section>
      </Card>
    </div>
  );
}

/** The answers as the consent record holds them, in the words and with the limits of the day. */
export function SentAnswers({ sections }: { sections: ReceiptSection[] }) {
  return sections.map(({ title, rows, notes }) => (
    <SummaryList
      key={title}
      title={title}
      rows={rows.map(({ label, text, note }) => ({
        label,
        value: note ? <LargeAmount note={note}>{text}</LargeAmount> : text,
      }))}
    >
      {notes.map((note) => (
        <p key={note} className="mt-2 text-sm">
          {note}
        </p>
      ))}
    </SummaryList>
  ));
}

const box = "M5 2h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3Z";
const tick = "M6 10.5l3 3 5.5-7";

/** The text of the consent record, which may be an older version than the current one. */
function AgreedText({ agreed, ticked }: { agreed: AgreedConsent; ticked: ConsentAnswers }) {
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
