"use client";

import { useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";

interface InnerLinkProps extends ComponentProps<"a"> {
  href: string;
}

/** A click that the browser would answer in this very tab, and by nothing but going there. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/**
 * A link to another screen, which opens without loading the whole page anew. Next's own Link does so too, and
 * fetches ahead; only the start of the application needs that, and it weighs more than a step of the form.
 */
export function InnerLink({ href, ...rest }: InnerLinkProps) {
  const router = useRouter();
  function follow(event: MouseEvent) {
    if (!isPlain(event)) return;
    event.preventDefault();
    router.push(href);
  }
  return <a {...rest} href={href} onClick={follow} />;
}
