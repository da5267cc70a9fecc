import type { Brand } from "@/lib/brand";
import { ByVariant } from "./by-variant";
import { Hero } from "./hero";
import { InvoiceCard } from "./invoice-card";
import { OfferCard } from "./offer-card";
import { Story } from "./story";
import { Trust } from "./trust";

/** Rendered by the server but for its few parts that know the application: what is only read costs no script. */
export function Landing({ brand }: { brand: Brand }) {
  return (
    <>
      <Hero brand={brand}>
        <ByVariant preApproval={<OfferCard brand={brand} />} invoice={<InvoiceCard brand={brand} />} />
      </Hero>
      <Story />
      <Trust brand={brand} />
    </>
  );
}
