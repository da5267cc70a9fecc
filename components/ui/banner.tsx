import type { ReactNode } from "react";
import { exclamation, Icon } from "./icon";

type BannerTone = "error" | "info";

interface BannerProps {
  tone: BannerTone;
  children: ReactNode;
  /** Small print, such as the request id for support. */
  detail?: ReactNode;
  /** Omitted for a banner without a dismiss button. */
  dismiss?: Dismiss;
  /** Set if a live region around the banner announces it. */
  isInLiveRegion?: boolean;
}

interface Dismiss {
  /** Completes the button's accessible name, as in 'Dismiss: Failed to load form data'. */
  what: string;
  onDismiss: () => void;
}

const tones: Record<BannerTone, string> = {
  error: "border-danger bg-danger-soft text-danger",
  info: "border-accent bg-accent-soft text-accent-strong",
};

const roles: Record<BannerTone, string> = { error: "alert", info: "status" };

const glyphs: Record<BannerTone, string> = {
  error: exclamation,
  info: "M12 11v5.5M12 7.5v.3M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z",
};

/** A message about the whole screen. An error has role=alert, which interrupts a screen reader; role=status does not. */
export function Banner({ tone, children, detail, dismiss, isInLiveRegion }: BannerProps) {
  return (
    <div
      role={isInLiveRegion ? undefined : roles[tone]}
      className={`flex animate-appear items-start gap-3 rounded-lg border border-l-4 py-1 pr-1 pl-3.5 ${tones[tone]}`}
    >
      <Icon path={glyphs[tone]} className="mt-2.5 size-6 shrink-0" />
      <div className="min-w-0 grow py-2.5 text-ink">
        <div className="font-semibold">{children}</div>
        {detail && <div className="mt-1 text-ink-soft text-xs">{detail}</div>}
      </div>
      {dismiss && (
        <button
          type="button"
          aria-label={`Dismiss: ${dismiss.what}`}
          onClick={() => {
            dismiss.onDismiss();
            // The button is gone with the banner, and the focus would be lost.
            document.getElementById("main")?.focus({ preventScroll: true });
          }}
          className="grid size-11 shrink-0 place-items-center rounded-md text-ink-soft transition-colors hover:bg-ink/5 hover:text-ink"
        >
          <Icon path="m6 6 12 12M18 6 6 18" className="size-5" />
        </button>
      )}
    </div>
  );
}
