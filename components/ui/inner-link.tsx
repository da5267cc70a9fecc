"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";

interface InnerLinkProps extends ComponentProps<"a"> {
  href: string;
  /** Runs before the navigation. */
  onFollow?: () => void;
  /** React's startTransition, where the screen shows that the navigation is under way. */
  start?: (navigate: () => void) => void;
}

/** A plain left click: no modifier key that opens a tab or window, or downloads. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/** Client-side navigation. Next's Link adds more script than a step of the form (docs/decisions/inner-link.md). */
export function InnerLink({ href, onFollow, start = (navigate) => navigate(), ...rest }: InnerLinkProps) {
  const router = useRouter();
  function follow(event: MouseEvent) {
    if (!isPlain(event)) return;
    event.preventDefault();
    onFollow?.();
    start(() => router.push(href));
  }
  return <a {...rest} href={href} onClick={follow} />;
}
