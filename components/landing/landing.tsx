import type { Brand } from "@/lib/brand";
import { BeforeSubmission } from "./before-submission";
import { ByVariant } from "./by-variant";
import { Hero } from "./hero";
import { InvoiceCard } from "./invoice-card";
import { OfferCard } from "./offer-card";
import { Story } from "./story";
import { Trust } from "./trust";

/** A server component: what is only read costs no script. Only the parts that need the session are client components. */
export function Landing({ brand }: { brand: Brand }) {
  return (
    <BeforeSubmission>
      <Hero brand={brand}>
        <ByVariant preApproval={<OfferCard brand={brand} />} invoice={<InvoiceCard brand={brand} />} />
      </Hero>
      <Story />
      <Trust brand={brand} />
    </BeforeSubmission>
  );
}
