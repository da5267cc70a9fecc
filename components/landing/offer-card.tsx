import type { Brand } from "@/lib/brand";
import { RentEstimate } from "./rent-estimate";

const facts = [
  { label: "Paid to", value: "Your property manager" },
  { label: "Repaid from", value: "Your rent" },
  { label: "Bank loan", value: "Not needed" },
];

export function OfferCard({ brand }: { brand: Brand }) {
  return (
    <figure className="on-dark mx-auto w-full max-w-md overflow-clip rounded-2xl border border-transparent p-6 shadow-lg sm:p-8">
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <p className="min-w-0 font-semibold text-white/80 text-sm">{brand.product}</p>
        <svg viewBox="4 8 182 132" fill="none" aria-hidden="true" className="-mt-1 -mr-1 ml-auto w-28 sm:mr-0 sm:w-36">
          <path d="M30 140V70L95 18l65 52v70" className="fill-brand" />
          <path
            d="M14 80 95 15l81 65"
            strokeWidth="7"
            strokeLinecap="round"
            strokeLinejoin="round"
            className="stroke-accent"
          />
          <path d="M56 84h24v24H56zM108 84h24v24h-24z" className="fill-accent" />
        </svg>
      </div>
      <RentEstimate />
      <dl className="mt-6 border-white/25 border-t border-dashed pt-4 text-sm">
        {facts.map(({ label, value }) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4 py-1">
            <dt className="text-white/80">{label}</dt>
            <dd className="text-right font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
