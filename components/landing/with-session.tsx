"use client";

import Link, { useLinkStatus } from "next/link";
import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useState } from "react";
import { DeviceNotes } from "@/components/session/device-notes";
import { notMe, useForgetDevice } from "@/components/session/forget-device";
import { LoadingScreen } from "@/components/session/gate";
import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { buttonStyle } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { LongWait, SpinnerGlyph } from "@/components/ui/spinner";
import { isSubmitted, resumeStep, stepNumbers, steps } from "@/lib/domain/journey";
import { centsOf, formatCents } from "@/lib/domain/money";
import { type LandingVariant, landingVariant } from "@/lib/domain/source";

export function Addressee() {
  const { firstName } = useApplication().application;
  const { name, product } = useBrand();
  return firstName ? `For ${firstName}, from ${name}` : `${product} by ${name}`;
}

/** Shows the variant of the visit's source. The server sends every variant, because only the browser knows a stored source. */
export function ByVariant({ variants }: { variants: Record<LandingVariant, ReactNode> }) {
  return variants[landingVariant(useApplication().source)];
}

/** The highest quote of the invitation, below the sample, so that nobody takes the sample's amount for their own. */
export function Quote() {
  const quote = centsOf(useApplication().application.invited.invoiceAmount);
  const text = `Your quote: ${formatCents(quote, useBrand(), true)}`;
  return quote > 0 && <p className="mt-4 text-center font-semibold tabular-nums">{text}</p>;
}

/** The landing is for people who have not applied yet. After submission it shows the application's status instead. */
export function BeforeSubmission({ children }: { children: ReactNode }) {
  const { application } = useApplication();
  if (!isSubmitted(application)) return children;
  return (
    <Suspense fallback={<LoadingScreen />}>
      <ReceivedState application={application} />
    </Suspense>
  );
}

/** Loaded on demand, because most links are opened to apply. */
const ReceivedState = lazy(async () => ({
  default: (await import("@/components/outcome/status-screens")).ReceivedState,
}));

const startLabels: Record<LandingVariant, string> = { "pre-approval": "Start pre-approval", invoice: "Get started" };

export function CallToAction() {
  const { application, source } = useApplication();
  const { button, panel } = useForgetDevice(notMe(application.firstName));
  const [isPending, setPending] = useState(false);
  const step = resumeStep(application);
  return (
    <>
      <DeviceNotes />
      {application.savedSteps.length > 0 && (
        <p className="mb-4 border-accent border-l-4 pl-3">
          <strong className="font-semibold">Welcome back.</strong> We've kept what you saved. You'll continue at step{" "}
          {step} of {stepNumbers.length}, {steps[step].title}.
        </p>
      )}
      {/* Prefetches the form while the landing is read. By default Next leaves out the content of a dynamic page. */}
      <Link href="/home" prefetch className={buttonStyle("primary", "min-h-14 w-full text-lg sm:w-auto sm:px-10")}>
        <StartLabel label={startLabels[landingVariant(source)]} onPending={setPending} />
      </Link>
      {/* Lies over the page, so that nothing on it moves. */}
      <div role="status" className="fixed inset-x-4 bottom-4 z-10">
        {isPending && (
          <div className="column animate-late rounded-xl border border-line bg-surface pb-4 shadow-lg">
            <LongWait />
          </div>
        )}
      </div>
      <p className="mt-3 text-ink-soft text-sm">Four short steps. We'll save your answers as you go.</p>
      <div className="mt-3 grid grid-cols-1 justify-items-start gap-3 wrap-anywhere text-[0.875rem]">
        {button}
        {panel}
      </div>
    </>
  );
}

/**
 * Confirms the tap with a spinner while the form is loading. The value is deferred, because a form that has already loaded is
 * rendered first, and drawing a spinner in between would only delay it.
 */
function StartLabel({ label, onPending }: { label: string; onPending: (isPending: boolean) => void }) {
  const pending = useDeferredValue(useLinkStatus().pending);
  useEffect(() => onPending(pending), [pending, onPending]);
  return (
    <>
      {label}
      {pending ? <SpinnerGlyph /> : <Icon path="M4 10h12m-5-5 5 5-5 5" size={20} width={2.25} className="size-5" />}
      <span role="status" className="sr-only">
        {pending && "Opening your application"}
      </span>
    </>
  );
}
