export function SpinnerGlyph({ className = "size-5" }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={`shrink-0 animate-spin ${className}`}>
      <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="3" className="opacity-25" />
      <path d="M12 3a9 9 0 0 1 9 9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

/** Offers a reload after 10 s. A CSS animation shows it, because the scripts themselves may have failed to load. */
export function LongWait() {
  return (
    <p className="animate-late mx-auto mt-6 max-w-prose text-center text-ink-soft">
      This is taking longer than it should. If nothing happens,{" "}
      {/* biome-ignore lint/a11y/useValidAnchor: an empty href reloads the current page */}
      <a href="" className="link inline-block py-2 font-semibold">
        try again
      </a>
      .
    </p>
  );
}
