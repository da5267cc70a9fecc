import type { Brand } from "@/lib/brand";
import { formatCents } from "@/lib/domain/money";

const lines = [
  { item: "Hot water system, 315 litres", cents: 1_890_00 },
  { item: "Installation, 4 hours", cents: 480_00 },
  { item: "Removal of the old system", cents: 80_00 },
];
const total = lines.reduce((sum, { cents }) => sum + cents, 0);

/** A sample repair invoice and the two ways to pay it. */
export function InvoiceCard({ brand }: { brand: Brand }) {
  return (
    <figure className="mx-auto w-full max-w-md overflow-clip rounded-2xl border border-line bg-surface shadow-lg">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-4 bg-brand-soft px-5 py-2 text-brand-strong text-xs sm:px-6">
        <span className="flex flex-wrap items-center gap-x-3">
          <span className="font-semibold">Sample invoice</span>
          <span className="rounded-full bg-brand px-2.5 font-semibold text-sm text-white">Example</span>
        </span>
        <span className="tabular-nums">INV-20418</span>
      </figcaption>
      <div className="px-5 pt-5 sm:px-6">
        <div className="flex flex-wrap items-start justify-between gap-x-4">
          <div className="grow basis-32">
            <p className="font-semibold">Harbour &amp; Hill Plumbing</p>
            <p className="text-ink-soft text-sm">Due in 7 days</p>
          </div>
          <p className="font-bold text-2xl tabular-nums">{formatCents(total, brand, true)}</p>
        </div>
        <dl className="mt-4 border-line border-t border-dashed pt-3 text-ink-soft text-sm">
          {lines.map(({ item, cents }) => (
            <div key={item} className="flex flex-wrap justify-between gap-x-4 py-1">
              <dt>{item}</dt>
              <dd className="ml-auto tabular-nums">{formatCents(cents, brand, true)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {/* The options are only illustrated, so they cannot be pressed. */}
      <div className="p-[min(1.25rem,5vw)] sm:p-6">
        <p className="mb-2 font-semibold text-sm">Payment options</p>
        <ul className="grid grid-cols-1 gap-2">
          <li className="flex flex-wrap items-center justify-between gap-x-4 rounded-lg border border-line px-[min(1rem,4vw)] py-2.5 text-ink-soft text-sm">
            <span>Pay in full now</span>
            <span className="tabular-nums">{formatCents(total, brand, true)}</span>
          </li>
          <li className="rounded-lg border-2 border-brand bg-brand-soft px-[min(1rem,4vw)] py-3">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="font-semibold text-brand-strong">Pay with {brand.product}</span>
              <span className="rounded-full bg-accent px-2.5 py-0.5 font-semibold text-xs">Flexible</span>
            </div>
            <p className="mt-1 text-sm">We pay your agent now. You repay it from your rent over time.</p>
          </li>
        </ul>
      </div>
    </figure>
  );
}
