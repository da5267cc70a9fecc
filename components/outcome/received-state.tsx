import { useBrand } from "@/components/site/brand-context";
import { useWindowTitle } from "@/components/site/window-title";
import type { ApplicationView } from "@/lib/domain/application";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";
import { StatusBadge } from "./status-badge";
import { StatusDetails } from "./status-details";

/** Replaces the landing once the application is submitted. */
export function ReceivedState({ application }: { application: ApplicationView & { status: SubmittedStatus } }) {
  const { status } = application;
  const { text } = statusWords(useBrand())[status];
  useWindowTitle("Your application");
  return (
    <div className="column grid grid-cols-1 gap-8 py-10 sm:py-14">
      <div className="grid grid-cols-1 gap-4">
        <StatusBadge status={status} />
        <h1 className="font-bold text-3xl sm:text-4xl">{statusHeadings[status].heading}</h1>
        <p className="text-ink-soft sm:text-lg">{text}</p>
      </div>
      <StatusDetails application={application} />
    </div>
  );
}
