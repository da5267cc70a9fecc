import { type ReactNode, useId } from "react";

interface ChoiceProps {
  group: string;
  chosen: boolean;
  onChoose: () => void;
  hint?: string;
  children: ReactNode;
}

/** A radio button whose whole row is the click target, at least 44 pixels high. */
export function Choice({ group, chosen, onChoose, hint, children }: ChoiceProps) {
  const id = useId();
  const look = chosen ? "border-brand bg-brand-soft ring-1 ring-brand" : "border-line-strong bg-surface";
  return (
    <div className={`relative flex gap-[min(0.75rem,3.2vw)] rounded-md border px-[min(0.875rem,3.6vw)] py-2.5 ${look}`}>
      <input
        type="radio"
        id={id}
        name={group}
        checked={chosen}
        aria-describedby={hint && `${id}-hint`}
        onChange={onChoose}
        className="relative z-10 mt-0.5 size-5 shrink-0 cursor-pointer accent-brand"
      />
      <div className="min-w-0 tabular-nums">
        <label htmlFor={id} className="cursor-pointer font-semibold before:absolute before:inset-0">
          {children}
        </label>
        {hint && (
          <p id={`${id}-hint`} className={`text-sm ${chosen ? "" : "text-ink-soft"}`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
