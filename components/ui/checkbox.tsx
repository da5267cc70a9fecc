import type { ReactNode } from "react";

interface CheckboxProps {
  id: string;
  checked: boolean;
  onTick: (ticked: boolean) => void;
  disabled?: boolean;
  required?: boolean;
  children: ReactNode;
}

/** The whole row is the click target, at least 44 pixels high. */
export function Checkbox({ id, checked, onTick, disabled, required, children }: CheckboxProps) {
  return (
    <div className="relative flex gap-[min(0.875rem,3.6vw)] rounded-md py-2.5">
      <input
        type="checkbox"
        id={id}
        name={id}
        checked={checked}
        disabled={disabled}
        aria-required={required || undefined}
        onChange={(event) => onTick(event.target.checked)}
        className="relative z-10 mt-0.5 size-6 shrink-0 cursor-pointer accent-brand"
      />
      <label htmlFor={id} className="min-w-0 grow cursor-pointer wrap-anywhere before:absolute before:inset-0">
        {children}
      </label>
    </div>
  );
}
