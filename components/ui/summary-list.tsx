import { type ReactNode, useId } from "react";
import { type Change, ChangedMark } from "./changed-mark";

export interface SummaryRow {
  label: string;
  /** Empty if there is no answer. */
  value: ReactNode;
  fallback?: string;
  change?: Change;
  note?: ReactNode;
}

interface SummaryListProps {
  title: string;
  rows: readonly SummaryRow[];
  /** Shown beside the title, such as a link to change these answers. */
  action?: ReactNode;
  children?: ReactNode;
}

export function SummaryList({ title, rows, action, children }: SummaryListProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-line border-t pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        {action}
      </div>
      <dl className="mt-2 grid gap-x-6 gap-y-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        {rows.map(({ label, value, fallback, change, note }) => (
          // On a phone, the value moves below its label if the text is large.
          <div key={label} className="flex flex-wrap gap-x-3 sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="min-w-0 grow-2 basis-24 text-ink-soft text-sm sm:text-base">{label}</dt>
            <dd className="wrap-anywhere min-w-0 grow-3 basis-32 tabular-nums">
              {value ? <span>{value}</span> : <span className="text-ink-soft italic">{fallback}</span>}
              {change && (
                <div className="mt-1">
                  <ChangedMark change={change} />
                </div>
              )}
              {note}
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  );
}
