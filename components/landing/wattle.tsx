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
