import type { Brand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";

const facts = [
  { what: "Paid to", value: "Your property manager" },
  { what: "Repaid from", value: "Your rent" },
  { what: "Bank loan", value: "None" },
];

export function OfferCard({ brand }: { brand: Brand }) {
  return (
    <figure className="on-dark relative mx-auto w-full max-w-md overflow-clip rounded-2xl border border-transparent p-6 shadow-lg sm:p-8">
      <Wattle className="absolute -top-3 -right-6 w-44 sm:w-52" />
      <p className="font-semibold text-white/80 text-sm">{brand.product}</p>
      <p className="mt-14 text-white/80 sm:mt-16">You could access up to</p>
      <p className="font-bold text-5xl tabular-nums">{formatCents(maximumAdvance, brand)}</p>
      <dl className="mt-6 border-white/25 border-t border-dashed pt-4 text-sm">
        {facts.map(({ what, value }) => (
          <div key={what} className="flex flex-wrap justify-between gap-x-4 py-1">
            <dt className="text-white/80">{what}</dt>
            <dd className="text-right font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

const blossoms = [
  [36, 30, 11],
  [62, 44, 14],
  [52, 14, 8],
  [92, 38, 12],
  [84, 66, 15],
  [118, 58, 10],
  [112, 88, 13],
  [140, 82, 9],
  [136, 112, 10],
] as const;

/** A sprig of wattle, the lender's flower. Decoration only. */
export function Wattle({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 170 140" fill="none" aria-hidden="true" className={className}>
      <path
        d="M168 136C150 120 110 92 84 62S48 26 26 14M84 62c4-10 6-16 8-24M112 92c4-14 5-24 6-34M112 92c-2 0 20-8 28-10M62 40c-2-8-6-18-10-26"
        stroke="var(--color-brand)"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <g className="fill-brand">
        <path d="M74 52C56 62 36 62 20 52c18-8 38-8 54 0Z" />
        <path d="M122 100c-20 12-44 12-62 0 20-10 44-10 62 0Z" />
      </g>
      {/* The dashed stroke draws the stamens. */}
      <g className="fill-accent stroke-accent" strokeWidth="5" strokeDasharray="0.7 1">
        {blossoms.map(([x, y, r]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={r} />
        ))}
      </g>
    </svg>
  );
}
