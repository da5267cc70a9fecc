import { useBrand } from "@/components/site/brand-context";
import { useWindowTitle } from "@/components/site/window-title";
import { ButtonLink } from "@/components/ui/button-link";
import type { Brand } from "@/lib/brand";
import type { ApplicationView } from "@/lib/domain/application";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";
import { ArrivedHeading } from "./arrived-heading";
import { ReceiptLink } from "./receipt-link";
import { ReferenceCard } from "./reference-card";
import { StatusBadge } from "./status-badge";
import { WhomToAsk } from "./whom-to-ask";

/** As the specification words it, right after submission; later, where the application stands. */
function wordsOf(status: SubmittedStatus, brand: Brand) {
  if (status === "submitted")
    return {
      windowTitle: "Application received",
      heading: "Application Submitted Successfully!",
      text: "Your application has been Submitted!",
      next: "What happens next",
    };
  const { text, nextHeading } = statusWords(brand)[status];
  return {
    windowTitle: "Your application",
    heading: statusHeadings[status].heading,
    text,
    next: nextHeading.replace(":", ""),
  };
}

interface SubmittedStateProps {
  application: ApplicationView & { status: SubmittedStatus };
}

/**
 * What /home and the standalone review are once the application is in. As tall as the window, so that the footer does not
 * shift when the thank-you page follows.
 */
export function SubmittedState({ application }: SubmittedStateProps) {
  const { status } = application;
  const words = wordsOf(status, useBrand());
  useWindowTitle(words.windowTitle);
  return (
    <div className="grid min-h-dvh content-start gap-6 py-4">
      <div className="grid gap-4">
        <StatusBadge status={status} />
        <ArrivedHeading>{words.heading}</ArrivedHeading>
        <p className="text-ink-soft sm:text-lg">{words.text}</p>
      </div>
      <ReferenceCard application={application} />
      <WhomToAsk status={status} />
      <div className="flex flex-col gap-3 sm:flex-row">
        <ButtonLink href="/submit-success" className="w-full sm:w-auto">
          {words.next}
        </ButtonLink>
        <ReceiptLink />
      </div>
    </div>
  );
}
