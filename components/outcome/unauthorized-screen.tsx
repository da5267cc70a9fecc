import { SupportContacts } from "@/components/site/support-contacts";
import type { Brand } from "@/lib/brand";
import { DeviceAdvice, FreshLink } from "./device-advice";

const help = "mt-8 rounded-xl border border-line bg-surface p-5 shadow-md sm:p-6";

interface UnauthorizedScreenProps {
  brand: Brand;
  /** Whether email or SMS is set up. */
  sends: boolean;
}

/** Identical for unknown, expired and revoked links, so that nobody can probe which tokens exist. */
export function UnauthorizedScreen({ brand, sends }: UnauthorizedScreenProps) {
  return (
    <div className="column py-12 sm:py-20">
      {/* Shown after 'Forget this device', which opens this page with #forgotten. It depends on CSS alone, not on a script. */}
      <div id="forgotten" className="peer hidden scroll-mt-96 target:block">
        <h1 className="font-bold text-3xl sm:text-4xl">This device no longer has your application</h1>
        <p className="mt-3 sm:text-lg">
          The link and anything you typed but didn't save are gone. We still have what you saved. To open it again, use
          the link in our message.
        </p>
        <section aria-labelledby="not-yours" className={help}>
          <h2 id="not-yours" className="font-semibold text-lg">
            Not your application?
          </h2>
          <p className="mt-1 mb-3 text-ink-soft">
            Then our message reached the wrong person. Please tell us. We'll cancel the link and send a new one to the
            right person.
          </p>
          <SupportContacts brand={brand} />
        </section>
      </div>
      <div className="peer-target:hidden">
        <p className="font-bold text-5xl text-brand tabular-nums">401</p>
        <h1 className="mt-3 font-bold text-3xl sm:text-4xl">Unauthorized Access</h1>
        <p className="mt-3 sm:text-lg">Oops! It looks like you don't have permission to access this page.</p>
        <DeviceAdvice />
        {sends && <FreshLink className={help} />}
        <section aria-labelledby="new-link" className={help}>
          <h2 id="new-link" className="font-semibold text-lg">
            Did you follow a link from us?
          </h2>
          <p className="mt-1 mb-3 text-ink-soft">
            Try opening it from our message again. Copied links can be cut short, and links expire. Call or email us and
            we'll send you a new one. What you saved is still there.
          </p>
          <SupportContacts brand={brand} />
        </section>
      </div>
    </div>
  );
}
