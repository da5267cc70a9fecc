import { LongWait } from "@/components/ui/long-wait";
import { SpinnerGlyph } from "@/components/ui/spinner";

/** Start-up: the link is being verified. As tall as the window, so that no footer jumps away when the page arrives. */
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
