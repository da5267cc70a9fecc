"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { SupportContacts } from "@/components/site/support-contacts";
import { useWindowTitle } from "@/components/site/window-title";
import { isSubmitted } from "@/lib/domain/journey";
import { ArrivedHeading } from "./arrived-heading";
import { CheckBadge } from "./check-badge";
import { NextSteps } from "./next-steps";
import { ReferenceCard } from "./reference-card";
import { useBlockedBack } from "./use-blocked-back";

/** Claims a submission only where there is one. */
export function SuccessScreen() {
  const { application } = useApplication();
  const brand = useBrand();
  const router = useRouter();
  const submitted = isSubmitted(application);
  useWindowTitle("Application received");
  useBlockedBack(submitted);
  useEffect(() => {
    if (!submitted) router.replace("/home");
  }, [submitted, router]);
  if (!submitted) return null;
  return (
    <div className="column grid gap-8 py-10 sm:py-14">
      <div className="grid gap-4">
        <CheckBadge />
        <ArrivedHeading>Your application has been submitted!</ArrivedHeading>
        <p className="text-ink-soft sm:text-lg">
          Thanks for applying with {brand.product}. We're now reviewing your details. Most applications are processed
          within 24 hours.
        </p>
      </div>
      <ReferenceCard application={application} />
      <NextSteps />
      <section aria-labelledby="questions" className="border-line border-t pt-6">
        <h2 id="questions" className="font-bold text-xl">
          Any questions?
        </h2>
        <p className="mt-1 mb-2 text-ink-soft">Tell us your reference and we find your application at once.</p>
        <SupportContacts brand={brand} />
      </section>
    </div>
  );
}
