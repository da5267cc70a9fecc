import type { ReactNode } from "react";
import { check, exclamation, Icon } from "./icon";

interface BannerProps {
  tone: keyof typeof tones;
  children: ReactNode;
  /** Small print, such as the request id for support. */
  detail?: ReactNode;
  /** `what` completes the button's accessible name, as in 'Dismiss: Failed to load form data'. */
  dismiss?: { what: string; onDismiss: () => void };
  /** Set if something else announces the banner: a live region around it, or a heading that it describes. */
  isAnnounced?: boolean;
}

const info = "M12 11v5.5M12 7.5v.3M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z";

const tones = {
  error: { role: "alert", glyph: exclamation, colours: "border-danger bg-danger-soft text-danger" },
  info: { role: "status", glyph: info, colours: "border-accent bg-accent-soft text-accent-strong" },
  done: { role: "status", glyph: check, colours: "border-success bg-success-soft text-success" },
};

/** A message about the whole screen. An error has role=alert, which interrupts a screen reader; role=status does not. */
export function Banner({ tone, children, detail, dismiss, isAnnounced }: BannerProps) {
  const { role, glyph, colours } = tones[tone];
  return (
    <div
      role={isAnnounced ? undefined : role}
      className={`flex animate-appear items-start gap-[min(0.75rem,3.75vw)] rounded-lg border border-l-4 py-1 pr-1 pl-[min(0.875rem,4.4vw)] ${colours}`}
    >
      <Icon path={glyph} className="mt-2.5 size-[min(1.5rem,7.5vw)] shrink-0" />
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
          className="-ml-[min(0.75rem,3.75vw)] grid size-[min(2.75rem,13.75vw)] shrink-0 place-items-center rounded-md text-ink-soft transition-colors hover:bg-ink/5 hover:text-ink"
        >
          <Icon path="m6 6 12 12M18 6 6 18" className="size-5" />
        </button>
      )}
    </div>
  );
}
