/** Under what is being loaded, when it takes too long: by its style alone, since it may be the scripts that did not come. */
export function LongWait() {
  return (
    <p className="animate-late mx-auto mt-6 max-w-prose text-center text-ink-soft">
      This is taking longer than it should. If nothing happens,{" "}
      {/* biome-ignore lint/a11y/useValidAnchor: the page itself, whichever it is */}
      <a href="" className="link inline-block py-2 font-semibold">
        try again
      </a>
      .
    </p>
  );
}
