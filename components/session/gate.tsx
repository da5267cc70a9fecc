"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { WindowTitle } from "@/components/site/window-title";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { LongWait, SpinnerGlyph } from "@/components/ui/spinner";
import { type Failure, retryAdvice } from "@/lib/client/api";
import { openPaths } from "@/lib/domain/journey";
import { useSession } from "./session-context";

/** Wraps every screen. Without a verified session, only the screens at `openPaths` render. */
export function Gate({ children }: { children: ReactNode }) {
  const { session } = useSession();
  const path = usePathname();
  // A retry removes the button that had the focus, and keeps the path.
  usePageFocus(session.state === "failed" ? "failed" : path);
  if (openPaths.includes(path) || session.state === "authenticated") return children;
  return session.state === "failed" ? <LoadFailure failure={session.failure} /> : <LoadingScreen />;
}

/**
 * Next leaves the focus on the body when a link opens another page in the same document. Moves it to the heading, or to #main
 * if the heading is not focusable.
 */
function usePageFocus(page: string): void {
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    if (document.activeElement !== document.body) return;
    for (const part of document.querySelectorAll<HTMLElement>("#main, h1")) part.focus({ preventScroll: true });
  }, [page]);
}

/** The application could not be loaded. The token stays stored, so the applicant can retry. */
function LoadFailure({ failure }: { failure: Failure }) {
  const { requestId } = failure;
  const { verify } = useSession();
  const [dismissed, setDismissed] = useState(false);
  return (
    <div className="column grid gap-6 py-12 sm:py-20">
      <WindowTitle title="Your application" />
      <h1 className="font-bold text-3xl sm:text-4xl">We couldn't open your application</h1>
      {!dismissed && (
        <Banner
          tone="error"
          detail={requestId && `If you contact us, quote ${requestId}.`}
          dismiss={{ what: "Failed to load form data", onDismiss: () => setDismissed(true) }}
        >
          <p>Failed to load form data</p>
          <p className="font-normal">You haven't lost anything. {retryAdvice(failure)}</p>
        </Banner>
      )}
      <Button onClick={verify} className="sm:justify-self-start">
        Try again
      </Button>
    </div>
  );
}

/** Shown while the token is verified. It fills the window, so that the footer does not shift when the page replaces it. */
export function LoadingScreen() {
  return (
    <div
      role="status"
      className="page grid min-h-dvh content-start justify-items-center gap-2 py-24 text-center sm:py-32"
    >
      <WindowTitle title="Your application" />
      <SpinnerGlyph className="mb-4 size-10 text-brand" />
      <h1 className="font-semibold text-xl">Authenticating</h1>
      <p className="text-ink-soft">Securing your session...</p>
      <LongWait />
    </div>
  );
}
