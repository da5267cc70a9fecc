import { useBrand } from "@/components/site/brand-context";
import { ButtonLink } from "@/components/ui/button-link";
import { LocalTime } from "@/components/ui/local-time";
import type { ApplicationView } from "@/lib/domain/application";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { standings } from "@/lib/domain/standing";

/** Replaces the start button after submission and shows the application's status. */
export function Received({ application }: { application: ApplicationView & { status: SubmittedStatus } }) {
  const brand = useBrand();
  const { reference, status, submittedAt } = application;
  return (
    <section
      aria-labelledby="standing"
      className="max-w-[34rem] rounded-xl border border-line bg-surface p-5 shadow-md sm:p-6"
    >
      <h2 id="standing" className="font-semibold text-lg">
        {standings[status].heading}
      </h2>
      <p className="mt-1 text-ink-soft">
        Reference <span className="whitespace-nowrap font-semibold text-ink tabular-nums">{reference}</span>
      </p>
      {submittedAt && (
        <p className="text-ink-soft">
          Received <LocalTime instant={submittedAt} locale={brand.locale} />
        </p>
      )}
      <ButtonLink href="/submit-success" className="mt-5 w-full sm:w-auto">
        See your application
      </ButtonLink>
    </section>
  );
}
