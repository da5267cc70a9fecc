"use client";

import { useApplication } from "@/components/session/session-context";
import { landingVariant } from "@/lib/domain/source";
import { Hero } from "./hero";
import { InvoiceCard } from "./invoice-card";
import { OfferCard } from "./offer-card";
import { Story } from "./story";
import { Trust } from "./trust";

export function Landing() {
  const { application, source } = useApplication();
  const variant = landingVariant(source);
  return (
    <>
      <Hero variant={variant} application={application}>
        {variant === "pre-approval" ? <OfferCard /> : <InvoiceCard />}
      </Hero>
      <Story variant={variant} />
      <Trust />
    </>
  );
}
