"use client";

import { useEffect, useRef, useState } from "react";
import { useBrand } from "@/components/site/brand-context";
import { SupportContacts } from "@/components/site/support-contacts";
import { WindowTitle } from "@/components/site/window-title";
import { stopMessages } from "@/lib/client/api";
import { HelpCard } from "./help-card";
import { RequestButton } from "./request-button";

/** `hasCode` is false if the address lacks a valid code, for example because the link was cut short. */
export function StopScreen({ hasCode }: { hasCode: boolean }) {
  const brand = useBrand();
  const [isStopped, setStopped] = useState(false);

  async function stop() {
    const result = await stopMessages();
    if (result.success) setStopped(true);
    return result;
  }

  if (isStopped) return <Stopped />;
  return (
    <div className="column py-12 sm:py-20">
      <WindowTitle title="Stop messages" />
      <h1 className="font-bold text-3xl sm:text-4xl">Stop invitations and reminders</h1>
      <p className="mt-3 mb-8 sm:text-lg">
        {brand.name} has contacted you about {brand.product}. {brand.product} is a service of {brand.legalName} (
        {brand.companyNumber}
        ).
      </p>
      {hasCode ? (
        <RequestButton label="Stop these messages" request={stop} />
      ) : (
        <p className="font-semibold">
          This link isn't complete. Open it again from our message, or ask us to stop the messages.
        </p>
      )}
      <HelpCard title="Prefer to ask us?" text="Call or email us and we'll stop the messages for you.">
        <SupportContacts />
      </HelpCard>
    </div>
  );
}

function Stopped() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="column py-12 sm:py-20">
      <WindowTitle title="Messages stopped" />
      <h1 ref={heading} tabIndex={-1} className="font-bold text-3xl sm:text-4xl">
        We've stopped the messages
      </h1>
      <p className="mt-3 sm:text-lg">We won't send you any more invitations or reminders.</p>
      <p className="mt-3 text-ink-soft">
        If you've applied, we'll still send you updates on your application. If your link expires, call or email us for
        a new one.
      </p>
      <HelpCard title="Any questions?" text="Call or email us.">
        <SupportContacts />
      </HelpCard>
    </div>
  );
}
