import { useBrand } from "@/components/site/brand-context";
import { LocalTime } from "@/components/ui/local-time";
import type { ApplicationView } from "@/lib/domain/application";

/** What a person reads out on the phone: large, spaced, and easy to select whole. */
export function ReferenceCard({ application }: { application: ApplicationView }) {
  const { locale } = useBrand();
  const { reference, submittedAt } = application;
  return (
    <dl className="grid gap-5 rounded-xl border border-line bg-surface p-5 shadow-md sm:grid-cols-2 sm:p-6 print:shadow-none">
      <div>
        <dt className="text-ink-soft text-sm">Your reference</dt>
        <dd className="mt-1 select-all font-bold text-2xl tabular-nums tracking-wider sm:text-3xl">{reference}</dd>
      </div>
      {submittedAt && (
        <div className="sm:border-line sm:border-l sm:pl-6">
          <dt className="text-ink-soft text-sm">Received</dt>
          <dd className="mt-1 font-semibold">
            <LocalTime instant={submittedAt} locale={locale} />
          </dd>
        </div>
      )}
    </dl>
  );
}
