import type { ComponentPropsWithRef, MouseEvent } from "react";
import { type ButtonKind, buttonStyle } from "./button-style";
import { SpinnerGlyph } from "./spinner";

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  kind?: ButtonKind;
  /** Work is under way: the button shows it and cannot fire twice. */
  busy?: boolean;
  busyLabel?: string;
}

/**
 * `disabled` and `busy` are told through aria-disabled: the native attribute would take the focus away from the person
 * who has just pressed the button, and hide from a screen reader why it does nothing.
 */
export function Button({
  kind = "primary",
  busy = false,
  busyLabel,
  disabled = false,
  type = "button",
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const inactive = disabled || busy;

  function click(event: MouseEvent<HTMLButtonElement>) {
    if (inactive) event.preventDefault();
    else onClick?.(event);
  }

  return (
    <button
      {...rest}
      type={type}
      className={buttonStyle(kind, className)}
      aria-disabled={inactive || undefined}
      aria-busy={busy || undefined}
      // The press leaves the focus in the field: what a field says on losing it would move the button from under the finger.
      onMouseDown={(event) => event.preventDefault()}
      onClick={click}
    >
      {busy && <SpinnerGlyph />}
      {busy ? (busyLabel ?? children) : children}
    </button>
  );
}
