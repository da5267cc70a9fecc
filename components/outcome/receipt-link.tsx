"use client";

import { useSession } from "@/components/session/session-context";
import { ButtonLink } from "@/components/ui/button-link";

/**
 * Verifies again, so that the receipt shows what the server has stored, not the session's copy. A reload would do that with
 * the stored token, which another tab's link may have replaced.
 */
export function ReceiptLink() {
  const { verify } = useSession();
  return (
    <ButtonLink href="/receipt" kind="secondary" onNavigate={verify} className="w-full sm:w-auto">
      Print or save your receipt
    </ButtonLink>
  );
}
