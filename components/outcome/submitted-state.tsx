import { WindowTitle } from "@/components/site/window-title";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { statusHeadings } from "@/lib/domain/status-words";
import { ArrivedHeading } from "./arrived-heading";
import { StatusDetails, type StatusProps } from "./status-details";

/** The specification's wording right after submission, and later the wording of the current status. */
function wordsOf(status: SubmittedStatus) {
  if (status === "submitted")
    return {
      windowTitle: "Application received",
      heading: "Application Submitted Successfully!",
      submitted: "Your application has been Submitted!",
    };
  return { windowTitle: "Your application", heading: statusHeadings[status].heading };
}

/**
 * Replaces /home and the standalone review once the application is submitted. It fills the window, so that the footer does
 * not shift when the thank-you page follows.
 */
export function SubmittedState({ application }: StatusProps) {
  const words = wordsOf(application.status);
  const heading = (
    <>
      <ArrivedHeading>{words.heading}</ArrivedHeading>
      {words.submitted && <p className="font-semibold sm:text-lg">{words.submitted}</p>}
    </>
  );
  return (
    <div className="grid min-h-dvh grid-cols-1 content-start gap-8 py-4">
      <WindowTitle title={words.windowTitle} />
      <StatusDetails application={application} heading={heading} />
    </div>
  );
}
