"use client";

import Link from "next/link";
import { ReferenceCard } from "@/components/outcome/reference-card";
import { useOnlySubmitted } from "@/components/outcome/use-only-submitted";
import { Holder } from "@/components/session/holder";
import { useBrand } from "@/components/site/brand-context";
import { SupportContacts } from "@/components/site/support-contacts";
import { useWindowTitle } from "@/components/site/window-title";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { AgreedText } from "./agreed-text";
import { Letterhead } from "./letterhead";
import { SentAnswers } from "./sent-answers";

/** What was sent and agreed to, laid out to be printed or saved as PDF. */
export function ReceiptScreen() {
  const application = useOnlySubmitted();
  const brand = useBrand();
  useWindowTitle("Your answers and agreement");
  if (!application) return null;
  return (
    <div className="column py-6 sm:py-10 print:max-w-none print:p-0">
      <Holder />
      <Link
        prefetch={false}
        href="/submit-success"
        className="link mb-3 inline-flex min-h-11 items-center print:hidden"
      >
        Back to your application
      </Link>
      <Card className="grid grid-cols-1 gap-6">
        <Letterhead brand={brand} />
        <div className="flex flex-wrap items-center justify-between gap-4">
          <h1 className="font-bold text-2xl sm:text-3xl">Your receipt</h1>
          <Button onClick={() => window.print()} className="w-full sm:w-auto print:hidden">
            Print or save as PDF
          </Button>
        </div>
        <ReferenceCard application={application} />
        <SentAnswers application={application} />
        {application.consent && <AgreedText agreed={application.consent} ticked={application} />}
        <section aria-labelledby="lender" className="border-line border-t pt-5">
          <h2 id="lender" className="font-semibold text-lg">
            The lender
          </h2>
          <p className="mt-1">{brand.legalName}</p>
          <p>{brand.companyNumber}</p>
          <p>{brand.licence}</p>
          <SupportContacts brand={brand} />
        </section>
      </Card>
    </div>
  );
}
