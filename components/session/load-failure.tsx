"use client";

import { useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import type { Failure } from "@/lib/client/api";
import { useSession } from "./session-context";

/** The application could not be loaded. The token stays stored, so the person can retry. */
export function LoadFailure({ failure: { status, requestId } }: { failure: Failure }) {
  const { verify } = useSession();
  const [dismissed, setDismissed] = useState(false);
  return (
    <div className="mx-auto grid max-w-xl gap-6 px-4 py-16">
      <h1 className="font-bold text-3xl">We could not open your application</h1>
      {!dismissed && (
        <Banner
          tone="error"
          detail={requestId && `If you contact us, quote ${requestId}.`}
          onDismiss={() => setDismissed(true)}
        >
          <p>Failed to load form data</p>
          <p>Nothing is lost. {status === null ? "Check your connection and try again." : "Try again in a moment."}</p>
        </Banner>
      )}
      <Button onClick={verify}>Try again</Button>
    </div>
  );
}
