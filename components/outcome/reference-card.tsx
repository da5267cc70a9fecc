import type { ReactNode } from "react";
import { LocalTime } from "@/components/site/local-time";
import type { ApplicationView } from "@/lib/domain/application";
import { isSubmitted } from "@/lib/domain/journey";
import { statuses } from "@/lib/domain/statuses";

/** The reference is read out on the phone, so it is large, spaced, and selected whole by one click. */
export function ReferenceCard({ application, children }: { application: ApplicationView; children?: ReactNode }) {
  const { reference, submittedAt } = application;
  return (
    <dl className="grid grid-cols-1 gap-5 rounded-xl border border-line bg-surface p-[min(1.25rem,5vw)] shadow-md sm:grid-cols-2 sm:p-6 print:grid-cols-2 print:shadow-none">
      <div className="sm:col-span-2 print:col-span-2">
        <dt className="text-ink-soft text-sm">Your reference</dt>
        <dd className="mt-1 select-all font-bold text-3xl tabular-nums tracking-wider sm:text-4xl">{reference}</dd>
      </div>
      {isSubmitted(application) && <Fact label="Status">{statuses[application.status].name}</Fact>}
      {submittedAt && (
        <Fact label="Submitted">
          <LocalTime instant={submittedAt} />
        </Fact>
      )}
      {children}
    </dl>
  );
}

export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-ink-soft text-sm">{label}</dt>
    <dd className="wrap-anywhere mt-1 font-semibold">{children}</dd>
  </div>
);
