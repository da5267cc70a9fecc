import { useState } from "react";
import { useSession } from "@/components/session/session-context";
import { Banner } from "@/components/ui/banner";
import { ButtonLink } from "@/components/ui/button";
import { SpinnerGlyph } from "@/components/ui/spinner";
import { type Failure, retryAdvice } from "@/lib/client/api";
import { openPage } from "@/lib/client/open-page";
import { receiptPath } from "@/lib/domain/journey";

/** Opens the receipt with what the server has stored, not with the session's copy. Until it has answered, the screen stays. */
export function ReceiptLink() {
  const { refresh } = useSession();
  const [state, setState] = useState<"idle" | "pending" | Failure>("idle");
  const isPending = state === "pending";

  async function open() {
    if (isPending) return;
    setState("pending");
    const failure = await refresh();
    setState(failure ?? "idle");
    if (!failure) openPage(receiptPath);
  }

  return (
    <div className="grid grid-cols-1 gap-3 print:hidden">
      <ButtonLink
        href={receiptPath}
        variant="secondary"
        aria-busy={isPending || undefined}
        className="w-full sm:w-auto sm:justify-self-start"
        onNavigate={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        {isPending && <SpinnerGlyph />}
        <span>Print or save your receipt</span>
      </ButtonLink>
      {typeof state === "object" && (
        <Banner tone="error" detail={state.requestId && `If you contact us, quote ${state.requestId}.`}>
          <p>Your receipt couldn't be loaded</p>
          <p className="font-normal">We have your application. {retryAdvice(state)}</p>
        </Banner>
      )}
    </div>
  );
}
