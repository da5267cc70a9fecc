import { ButtonLink } from "@/components/ui/button-link";
import type { ApplicationView } from "@/lib/domain/application";

/** In the start's place once there is nothing left to start. */
export function Received({ application }: { application: ApplicationView }) {
  return (
    <div className="max-w-[34rem] rounded-xl border border-line bg-surface p-5 shadow-md sm:p-6">
      <p className="font-semibold text-lg">Your application has been submitted</p>
      <p className="mt-1 text-ink-soft">
        Reference <span className="whitespace-nowrap font-semibold text-ink tabular-nums">{application.reference}</span>
      </p>
      <ButtonLink href="/submit-success" className="mt-5 w-full sm:w-auto">
        See your application
      </ButtonLink>
    </div>
  );
}
