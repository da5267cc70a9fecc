"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";

interface InnerLinkProps extends ComponentProps<"a"> {
  href: string;
  /** Runs before the navigation. */
  onFollow?: () => void;
}

/** A plain left click: no modifier key that opens a tab or window, or downloads. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/**
 * Client-side navigation without prefetching. Next's Link adds more script than a step of the form, and only the
 * landing's start button needs its prefetching.
 */
export function InnerLink({ href, onFollow, ...rest }: InnerLinkProps) {
  const router = useRouter();
  function follow(event: MouseEvent) {
    if (!isPlain(event)) return;
    event.preventDefault();
    onFollow?.();
    router.push(href);
  }
  return <a {...rest} href={href} onClick={follow} />;
}
