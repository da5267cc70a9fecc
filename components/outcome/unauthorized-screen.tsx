import { SupportContacts } from "@/components/site/support-contacts";
import { WindowTitle } from "@/components/site/window-title";
import { DeviceAdvice, FreshLink } from "./device-advice";
import { HelpCard } from "./help-card";

/** Shown after 'Forget this device'. */
export function ForgottenScreen() {
  return (
    <div className="column py-12 sm:py-20">
      <WindowTitle title="Removed from this device" />
      <h1 className="font-bold text-3xl sm:text-4xl">This device no longer has your application</h1>
      <p className="mt-3 sm:text-lg">
        The link and anything you typed but didn't save are gone. We still have what you saved. To open it again, use
        the link in our message.
      </p>
      {/* The link may have been opened again since, and Back has led here. */}
      <DeviceAdvice />
      <HelpCard
        title="Not your application?"
        text="Then our message reached the wrong person. Please tell us. We'll cancel the link and send a new one to the right person."
      >
        <SupportContacts />
      </HelpCard>
    </div>
  );
}

/**
 * Identical for unknown, expired and revoked links, so that nobody can probe which tokens exist. `sends` means that email or SMS
 * is set up.
 */
export function UnauthorizedScreen({ sends }: { sends: boolean }) {
  return (
    <div className="column py-12 sm:py-20">
      <WindowTitle title="No access" />
      <p className="font-bold text-5xl text-brand tabular-nums">401</p>
      <h1 tabIndex={-1} className="mt-3 font-bold text-3xl sm:text-4xl">
        Unauthorized Access
      </h1>
      <p className="mt-3 sm:text-lg">Oops! It looks like you don't have permission to access this page.</p>
      <DeviceAdvice />
      <HelpCard
        title="Did you follow a link from us?"
        text="Try opening it from our message again. Copied links can be cut short, and links expire. If yours has expired, you haven't lost anything you saved. Call or email us and we'll send you a new one."
      >
        {sends && <FreshLink />}
        <SupportContacts />
      </HelpCard>
    </div>
  );
}
