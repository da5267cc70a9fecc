import Link from "next/link";
import type { ComponentProps } from "react";
import { type ButtonKind, buttonStyle } from "./button";

interface ButtonLinkProps extends ComponentProps<typeof Link> {
  kind?: ButtonKind;
}

/** A real link that looks like a button. It works before the page's scripts have loaded. */
export function ButtonLink({ kind = "primary", className, ...rest }: ButtonLinkProps) {
  return <Link prefetch={false} {...rest} className={buttonStyle(kind, className)} />;
}
