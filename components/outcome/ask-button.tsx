"use client";

import { type ReactNode, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { type CallResult, retryAdvice } from "@/lib/client/api";

interface AskButtonProps {
  label: string;
  ask: () => Promise<CallResult<unknown>>;
  /** Announced once the call has succeeded. The button then does nothing more, but keeps the focus. */
  children: ReactNode;
}

/** A button for a call without a session, which cannot be repeated once it has succeeded. */
export function AskButton({ label, ask, children }: AskButtonProps) {
  const [asked, setAsked] = useState<"not yet" | "asking" | CallResult<unknown>>("not yet");
  const result = typeof asked === "object" ? asked : null;

  async function press() {
    setAsked("asking");
    setAsked(await ask());
  }

  return (
    <div>
      <Button onClick={press} busy={asked === "asking"} disabled={result?.success} className="w-full sm:w-auto">
        {label}
      </Button>
      <div role="status">{result?.success && <div className="mt-3">{children}</div>}</div>
      {result?.success === false && (
        <div className="mt-3">
          <Banner tone="error" detail={result.requestId && `If you contact us, quote ${result.requestId}.`}>
            <p>{result.message}</p>
            <p className="font-normal">
              {result.status === 422
                ? "If that doesn't work, call us."
                : `${retryAdvice(result)} You can also call us.`}
            </p>
          </Banner>
        </div>
      )}
    </div>
  );
}
