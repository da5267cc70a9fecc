/** Keep app/icon.svg in step with this drawing. */
export function LogoMark({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="9" className="fill-brand" />
      <path
        d="M7.5 11c.5 6.5 1.9 12.5 4.4 12.5S15.3 18 16 12.5c.7 5.5 1.6 11 4.1 11s3.9-6 4.4-12.5"
        stroke="#fff"
        strokeWidth="2.75"
        strokeLinecap="round"
      />
      <g className="fill-accent">
        <circle cx="7.5" cy="10" r="3.2" />
        <circle cx="16" cy="11" r="3.2" />
        <circle cx="24.5" cy="10" r="3.2" />
      </g>
    </svg>
  );
}
