import type { Brand } from "@/lib/brand";
import { formatCents } from "@/lib/domain/money";
import { PaymentOptions } from "./payment-options";

const lines = [
  { what: "Hot water system, 315 litres", cents: 1_890_00 },
  { what: "Installation, 4 hours", cents: 480_00 },
  { what: "Removal of the old system", cents: 80_00 },
];
const total = lines.reduce((sum, { cents }) => sum + cents, 0);

/** An invoice such as a landlord gets from a repairer, and the two ways to pay it. */
export function InvoiceCard({ brand }: { brand: Brand }) {
  return (
    <figure className="mx-auto w-full max-w-md overflow-clip rounded-2xl border border-line bg-surface shadow-lg">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-4 bg-brand-soft px-5 py-2 text-brand-strong text-xs sm:px-6">
        <span className="font-semibold">Sample invoice</span>
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
          {lines.map(({ what, cents }) => (
            <div key={what} className="flex flex-wrap justify-between gap-x-4 py-1">
              <dt>{what}</dt>
              <dd className="tabular-nums">{formatCents(cents, brand, true)}</dd>
            </div>
          ))}
        </dl>
      </div>
      <PaymentOptions total={formatCents(total, brand, true)} product={brand.product} />
    </figure>
  );
}
