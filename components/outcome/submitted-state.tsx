import { ButtonLink } from "@/components/ui/button-link";
import type { ApplicationView } from "@/lib/domain/application";
import { ArrivedHeading } from "./arrived-heading";
import { CheckBadge } from "./check-badge";
import { ReferenceCard } from "./reference-card";

/** What a review turns into once it has been submitted. */
export function SubmittedState({ application }: { application: ApplicationView }) {
  return (
    <div className="grid gap-6">
      <div className="grid gap-4">
        <CheckBadge />
        <ArrivedHeading>Application Submitted Successfully!</ArrivedHeading>
        <p className="text-ink-soft sm:text-lg">Your application has been Submitted!</p>
      </div>
      <ReferenceCard application={application} />
      <div>
        <ButtonLink href="/submit-success" className="w-full sm:w-auto">
          What happens next
        </ButtonLink>
      </div>
    </div>
  );
}
