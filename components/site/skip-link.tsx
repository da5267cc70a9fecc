"use client";

const id = "main";

/** Moves the focus without adding an entry to the history, because the form keeps its steps there (step-history.ts). */
export function SkipLink() {
  return (
    <a
      href={`#${id}`}
      className="absolute -top-24 left-2 z-20 rounded-md bg-ink px-4 py-3 font-semibold text-white focus:top-2"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      Skip to main content
    </a>
  );
}
