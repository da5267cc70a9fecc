import Link, { useLinkStatus } from "next/link";
import { useDeferredValue } from "react";
import { buttonStyle } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { SpinnerGlyph } from "@/components/ui/spinner";
import type { ApplicationView } from "@/lib/domain/application";
import { resumeStep, stepNumbers, steps } from "@/lib/domain/journey";

export function Start({ label, application }: { label: string; application: ApplicationView }) {
  const started = application.savedSteps.length > 0;
  const step = resumeStep(application);
  return (
    <>
      {started && (
        <p className="mb-4 border-accent border-l-4 pl-3">
          <strong className="font-semibold">Welcome back.</strong> We've kept what you saved. You'll continue at step{" "}
          {step} of {stepNumbers.length}, {steps[step].title}.
        </p>
      )}
      {/* Prefetches the form while the landing is read. By default Next leaves out the content of a dynamic page. */}
      <Link href="/home" prefetch className={buttonStyle("primary", "min-h-14 w-full text-lg sm:w-auto sm:px-10")}>
        <StartLabel label={label} />
      </Link>
      <p className="mt-3 text-ink-soft text-sm">Four short steps. We'll save your answers as you go.</p>
    </>
  );
}

/**
 * Confirms the tap with a spinner while the form is loading. The value is deferred, because a form that has already loaded is
 * rendered first, and drawing a spinner in between would only delay it.
 */
function StartLabel({ label }: { label: string }) {
  const pending = useDeferredValue(useLinkStatus().pending);
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
