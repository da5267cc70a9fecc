"use client";

import { Holder } from "@/components/session/holder";
import { useBrand } from "@/components/site/brand-context";
import { useWindowTitle } from "@/components/site/window-title";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";
import { ArrivedHeading } from "./arrived-heading";
import { StatusBadge } from "./status-badge";
import { StatusDetails } from "./status-details";
import { useBlockedBack } from "./use-blocked-back";
import { useOnlySubmitted } from "./use-only-submitted";

/** The thank-you page. On a later visit, it shows the status of the application. */
export function SuccessScreen() {
  const application = useOnlySubmitted();
  const brand = useBrand();
  useWindowTitle(application?.status === "submitted" ? "Application received" : "Your application");
  useBlockedBack(application !== null);
  if (!application) return null;
  const words = statusWords(brand)[application.status];
  return (
    <div className="column grid grid-cols-1 gap-8 py-10 sm:py-14">
      <Holder />
      <div className="grid grid-cols-1 gap-4">
        <StatusBadge status={application.status} />
        <ArrivedHeading>{statusHeadings[application.status].heading}</ArrivedHeading>
        <p className="text-ink-soft sm:text-lg">{words.text}</p>
      </div>
      <StatusDetails application={application} />
    </div>
  );
}
