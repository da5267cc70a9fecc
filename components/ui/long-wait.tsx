/** Offers a reload after 10 s. A CSS animation shows it, since it may be the scripts that failed to load. */
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
