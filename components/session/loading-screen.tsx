import { LongWait } from "@/components/ui/long-wait";
import { SpinnerGlyph } from "@/components/ui/spinner";

/** Shown while the token is verified. As tall as the window, so that the footer does not shift when the page replaces it. */
export function LoadingScreen() {
  return (
    <div
      role="status"
      className="page grid min-h-dvh content-start justify-items-center gap-2 py-24 text-center sm:py-32"
    >
      <SpinnerGlyph className="mb-4 size-10 text-brand" />
      <h1 className="font-semibold text-xl">Authenticating</h1>
      <p className="text-ink-soft">Securing your session...</p>
      <LongWait />
    </div>
  );
}
