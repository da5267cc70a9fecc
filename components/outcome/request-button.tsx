"use client";

import { type ReactNode, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { type CallResult, retryAdvice } from "@/lib/client/api";

interface RequestButtonProps {
  label: string;
  request: () => Promise<CallResult<unknown>>;
  /** Announced once the call has succeeded. The button then does nothing more, but keeps the focus. */
  children?: ReactNode;
}

/** A button that makes a call without a session. Once the call has succeeded, the button does nothing more. */
export function RequestButton({ label, request, children }: RequestButtonProps) {
  const [state, setState] = useState<"idle" | "pending" | CallResult<unknown>>("idle");
  const result = typeof state === "object" ? state : null;

  async function press() {
    setState("pending");
    setState(await request());
  }

  return (
    <div>
      <Button onClick={press} busy={state === "pending"} disabled={result?.success} className="w-full sm:w-auto">
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
