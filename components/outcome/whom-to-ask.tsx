import { useBrand } from "@/components/site/brand-context";
import { SupportContacts } from "@/components/site/support-contacts";
import type { SubmittedStatus } from "@/lib/domain/journey";

/** Whom a declined landlord asks, on the screens without contact details of their own. */
export function WhomToAsk({ status }: { status: SubmittedStatus }) {
  const brand = useBrand();
  if (status !== "declined") return null;
  return (
    <div>
      <p className="mb-2">To ask us why, call or email us and quote your reference.</p>
      <SupportContacts brand={brand} />
    </div>
  );
}
