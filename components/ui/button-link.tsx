import type { ComponentProps } from "react";
import { type ButtonKind, buttonStyle } from "./button";
import { InnerLink } from "./inner-link";

interface ButtonLinkProps extends ComponentProps<typeof InnerLink> {
  kind?: ButtonKind;
}

/** A real link that looks like a button: it works before the page's scripts have loaded. */
export function ButtonLink({ kind = "primary", className, ...rest }: ButtonLinkProps) {
  return <InnerLink {...rest} className={buttonStyle(kind, className)} />;
}
