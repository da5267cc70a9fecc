import Link from "next/link";
import type { ComponentProps, ComponentPropsWithRef, MouseEvent } from "react";
import { SpinnerGlyph } from "./spinner";

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  variant?: ButtonVariant;
  /** Shows a spinner and ignores clicks, so that nothing is sent twice. */
  busy?: boolean;
  busyLabel?: string;
}

/**
 * `disabled` and `busy` set aria-disabled. The native attribute would take the focus from the button that was just
 * pressed, and some screen readers skip natively disabled buttons.
 */
export function Button({
  variant = "primary",
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
      className={buttonStyle(variant, className)}
      aria-disabled={inactive || undefined}
      aria-busy={busy || undefined}
      // Keeps the focus in the field until the click, and with it a phone's keyboard.
      onMouseDown={(event) => event.preventDefault()}
      onClick={click}
    >
      {busy && <SpinnerGlyph />}
      {/* A browser's translation replaces text nodes, and React could not insert the spinner before one that is gone. */}
      <span>{busy ? (busyLabel ?? children) : children}</span>
    </button>
  );
}

type ButtonVariant = "primary" | "secondary" | "danger";

const shape =
  "inline-flex min-h-12 items-center justify-center gap-2.5 rounded-lg border px-[min(1.5rem,6vw)] py-2.5 text-center font-semibold no-underline aria-disabled:cursor-not-allowed forced-colors:aria-disabled:border-[GrayText] forced-colors:aria-disabled:text-[GrayText]!";

const variants: Record<ButtonVariant, string> = {
  primary:
    "border-transparent bg-brand text-white shadow-sm not-aria-disabled:hover:bg-brand-strong not-aria-disabled:active:bg-brand-strong not-aria-busy:aria-disabled:bg-line not-aria-busy:aria-disabled:text-ink-soft not-aria-busy:aria-disabled:shadow-none",
  danger: "border-transparent bg-danger text-white shadow-sm",
  secondary:
    "border-line-strong bg-surface text-ink not-aria-disabled:hover:border-ink not-aria-disabled:hover:bg-paper aria-disabled:border-line aria-disabled:text-ink-soft",
};

export function buttonStyle(variant: ButtonVariant, className = ""): string {
  return `${shape} ${variants[variant]} ${className}`;
}

/** A real link that looks like a button. It works before the page's scripts have loaded. */
export function ButtonLink({
  variant = "primary",
  className,
  ...rest
}: ComponentProps<typeof Link> & { variant?: ButtonVariant }) {
  return <Link prefetch={false} {...rest} className={buttonStyle(variant, className)} />;
}
