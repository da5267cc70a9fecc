import type { ComponentPropsWithRef, MouseEvent } from "react";
import { type ButtonKind, buttonStyle } from "./button-style";
import { SpinnerGlyph } from "./spinner";

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  kind?: ButtonKind;
  /** Shows a spinner and ignores clicks, so that nothing is sent twice. */
  busy?: boolean;
  busyLabel?: string;
}

/**
 * `disabled` and `busy` set aria-disabled. The native attribute would drop the focus of whoever has just pressed the
 * button, and some screen readers skip natively disabled buttons.
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
      // Keeps the focus in the field: an error shown on leaving it would move the button before mouseup, and the click would be lost.
      onMouseDown={(event) => event.preventDefault()}
      onClick={click}
    >
      {busy && <SpinnerGlyph />}
      {busy ? (busyLabel ?? children) : children}
    </button>
  );
}
