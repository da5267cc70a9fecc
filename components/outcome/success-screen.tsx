"use client";

import { Holder } from "@/components/session/holder";
import { WindowTitle } from "@/components/site/window-title";
import { statusHeadings } from "@/lib/domain/status-words";
import { ArrivedHeading } from "./arrived-heading";
import { StatusDetails } from "./status-details";
import { useBlockedBack } from "./use-blocked-back";
import { useOnlySubmitted } from "./use-only-submitted";

/** The thank-you page. On a later visit, it shows the status of the application. */
export function SuccessScreen() {
  const application = useOnlySubmitted();
  const title = application?.status === "submitted" ? "Application received" : "Your application";
  useBlockedBack(application !== null);
  if (!application) return <WindowTitle title={title} />;
  return (
    <div className="column grid grid-cols-1 gap-8 py-10 sm:py-14">
      <WindowTitle title={title} />
      <Holder />
      <StatusDetails
        application={application}
        heading={<ArrivedHeading>{statusHeadings[application.status].heading}</ArrivedHeading>}
      />
    </div>
  );
}
