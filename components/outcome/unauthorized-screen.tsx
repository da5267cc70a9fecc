import { SupportContacts } from "@/components/site/support-contacts";
import { WindowTitle } from "@/components/site/window-title";
import type { Brand } from "@/lib/brand";

/** Identical for unknown, expired and revoked links, so that nobody can probe which tokens exist. */
export function UnauthorizedScreen({ brand }: { brand: Brand }) {
  return (
    <div className="column py-12 sm:py-20">
      <WindowTitle>No access</WindowTitle>
      <p className="font-bold text-5xl text-brand tabular-nums">401</p>
      <h1 className="mt-3 font-bold text-3xl sm:text-4xl">Unauthorized Access</h1>
      <p className="mt-3 sm:text-lg">Oops! It looks like you don't have permission to access this page.</p>
      <section
        aria-labelledby="new-link"
        className="mt-8 rounded-xl border border-line bg-surface p-5 shadow-md sm:p-6"
      >
        <h2 id="new-link" className="font-semibold text-lg">
          Did you follow a link from us?
        </h2>
        <p className="mt-1 mb-3 text-ink-soft">
          Open it once more from our message, as links are sometimes cut short when they are copied. They also stop
          working after a while. Call or write to us and we send you a new one: what you saved is still there.
        </p>
        <SupportContacts brand={brand} />
      </section>
    </div>
  );
}
