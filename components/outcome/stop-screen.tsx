"use client";

import { useBrand } from "@/components/site/brand-context";
import { SupportContacts } from "@/components/site/support-contacts";
import { stopMessages } from "@/lib/client/api";
import { AskButton } from "./ask-button";

/** `hasCode`: the address is whole, as it stands in the message. */
export function StopScreen({ hasCode }: { hasCode: boolean }) {
  const brand = useBrand();
  return (
    <div className="column py-12 sm:py-20">
      <h1 className="font-bold text-3xl sm:text-4xl">Invitations and reminders</h1>
      <p className="mt-3 mb-8 sm:text-lg">
        {brand.name} has written to you about {brand.product}. It is a service of {brand.legalName} (
        {brand.companyNumber}).
      </p>
      {hasCode ? (
        <AskButton label="Stop these messages" ask={stopMessages}>
          <p className="font-semibold">We will not send you invitations or reminders any more.</p>
          <p className="mt-1">Messages about an application that you have submitted still come.</p>
        </AskButton>
      ) : (
        <p className="font-semibold">
          This address is not complete. Open it once more from our message, or ask us to stop them.
        </p>
      )}
      <section aria-labelledby="by-hand" className="mt-8 rounded-xl border border-line bg-surface p-5 shadow-md sm:p-6">
        <h2 id="by-hand" className="font-semibold text-lg">
          Rather tell us?
        </h2>
        <p className="mt-1 mb-3 text-ink-soft">Call or write to us, and we stop them for you.</p>
        <SupportContacts brand={brand} />
      </section>
    </div>
  );
}
