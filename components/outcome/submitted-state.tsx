import { useBrand } from "@/components/site/brand-context";
import { useWindowTitle } from "@/components/site/window-title";
import type { Brand } from "@/lib/brand";
import type { ApplicationView } from "@/lib/domain/application";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";
import { ArrivedHeading } from "./arrived-heading";
import { StatusBadge } from "./status-badge";
import { StatusDetails } from "./status-details";

/** The specification's wording right after submission, and later the wording of the current status. */
function wordsOf(status: SubmittedStatus, brand: Brand) {
  const { text } = statusWords(brand)[status];
  if (status === "submitted")
    return {
      windowTitle: "Application received",
      heading: "Application Submitted Successfully!",
      submitted: "Your application has been Submitted!",
      text,
    };
  return { windowTitle: "Your application", heading: statusHeadings[status].heading, text };
}

interface SubmittedStateProps {
  application: ApplicationView & { status: SubmittedStatus };
}

/**
 * Replaces /home and the standalone review once the application is submitted. It fills the window, so that the footer does
 * not shift when the thank-you page follows.
 */
export function SubmittedState({ application }: SubmittedStateProps) {
  const { status } = application;
  const words = wordsOf(status, useBrand());
  useWindowTitle(words.windowTitle);
  return (
    <div className="grid min-h-dvh grid-cols-1 content-start gap-8 py-4">
      <div className="grid grid-cols-1 gap-4">
        <StatusBadge status={status} />
        <ArrivedHeading>{words.heading}</ArrivedHeading>
        {words.submitted && <p className="font-semibold sm:text-lg">{words.submitted}</p>}
        <p className="text-ink-soft sm:text-lg">{words.text}</p>
      </div>
      <StatusDetails application={application} />
    </div>
  );
}
