interface PaymentOptionsProps {
  total: string;
  product: string;
}

/** Part of the sample: shown, not offered, so nothing here can be pressed. */
export function PaymentOptions({ total, product }: PaymentOptionsProps) {
  return (
    <div className="p-5 sm:p-6">
      <p className="mb-2 font-semibold text-sm">Payment options</p>
      <ul className="grid gap-2">
        <li className="flex flex-wrap items-center justify-between gap-x-4 rounded-lg border border-line px-4 py-2.5 text-ink-soft text-sm">
          <span>Pay in full now</span>
          <span className="tabular-nums">{total}</span>
        </li>
        <li className="rounded-lg border-2 border-brand bg-brand-soft px-4 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="font-semibold text-brand-strong">Pay with {product}</span>
            <span className="rounded-full bg-accent px-2.5 py-0.5 font-semibold text-xs">Flexible</span>
          </div>
          <p className="mt-1 text-sm">We pay the bill. You repay from your rent, over time.</p>
        </li>
      </ul>
    </div>
  );
}
