import { ReferenceCard } from "@/components/outcome/reference-card";
import { StatusBadge } from "@/components/outcome/status-badge";
import { useBrand } from "@/components/site/brand-context";
import { useWindowTitle } from "@/components/site/window-title";
import { ButtonLink } from "@/components/ui/button-link";
import type { ApplicationView } from "@/lib/domain/application";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { standings } from "@/lib/domain/standing";
import { statusWords } from "@/lib/domain/status-words";

/** The landing of an application that was submitted. */
export function Received({ application }: { application: ApplicationView & { status: SubmittedStatus } }) {
  const { status } = application;
  const { text } = statusWords(useBrand())[status];
  useWindowTitle("Your application");
  return (
    <div className="column grid gap-6 py-10 sm:py-14">
      <div className="grid gap-4">
        <StatusBadge status={status} />
        <h1 className="font-bold text-3xl sm:text-4xl">{standings[status].heading}</h1>
        <p className="text-ink-soft sm:text-lg">{text}</p>
      </div>
      <ReferenceCard application={application} />
      <div>
        <ButtonLink href="/submit-success" className="w-full sm:w-auto">
          See your application
        </ButtonLink>
      </div>
    </div>
  );
}
