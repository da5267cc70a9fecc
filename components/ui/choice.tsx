import type { ReactNode } from "react";

interface ChoiceProps {
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** One of a few ready answers. It stays when it is tapped, so that the focus does, and the way back is beside it. */
export function Choice({ chosen, onChoose, children }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className="min-h-11 grow rounded-lg border border-line-strong px-3 py-2 text-sm tabular-nums transition-colors hover:border-ink aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:font-semibold aria-pressed:text-brand-strong"
    >
      {children}
    </button>
  );
}
