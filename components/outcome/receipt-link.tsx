"use client";

import { useSession } from "@/components/session/session-context";
import { ButtonLink } from "@/components/ui/button-link";

/**
 * Verifies the token again, so that the receipt shows what the server has stored and not the session's copy. A reload would
 * use the stored token, which a link opened in another tab may have replaced.
 */
export function ReceiptLink() {
  const { verify } = useSession();
  return (
    <ButtonLink href="/receipt" kind="secondary" onNavigate={verify} className="w-full sm:w-auto">
      Print or save your receipt
    </ButtonLink>
  );
}
