import { useWindowTitle } from "@/components/site/window-title";
import { ButtonLink } from "@/components/ui/button-link";
import type { ApplicationView } from "@/lib/domain/application";
import { ArrivedHeading } from "./arrived-heading";
import { ReceiptLink } from "./receipt-link";
import { ReferenceCard } from "./reference-card";
import { StatusBadge } from "./status-badge";

/** What /home and the standalone review are once the application is in. */
export function SubmittedState({ application }: { application: ApplicationView }) {
  useWindowTitle("Application received");
  return (
    <div className="grid gap-6 py-4">
      <div className="grid gap-4">
        <StatusBadge status="submitted" />
        <ArrivedHeading>Application Submitted Successfully!</ArrivedHeading>
        <p className="text-ink-soft sm:text-lg">Your application has been Submitted!</p>
      </div>
      <ReferenceCard application={application} />
      <div className="flex flex-col gap-3 sm:flex-row">
        <ButtonLink href="/submit-success" className="w-full sm:w-auto">
          What happens next
        </ButtonLink>
        <ReceiptLink />
      </div>
    </div>
  );
}
