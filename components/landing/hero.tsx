import type { ReactNode } from "react";
import { useBrand } from "@/components/site/brand-context";
import type { ApplicationView } from "@/lib/domain/application";
import { isSubmitted } from "@/lib/domain/journey";
import type { LandingVariant } from "@/lib/domain/source";
import { offer } from "./offer";
import { Received } from "./received";
import { Start } from "./start";

interface HeroProps {
  variant: LandingVariant;
  application: ApplicationView;
  /** The picture of the offer. */
  children: ReactNode;
}

export function Hero({ variant, application, children }: HeroProps) {
  const brand = useBrand();
  const { heading, subtitle, startLabel } = offer(variant, brand);
  const { firstName } = application;
  return (
    <div className="page grid grid-cols-1 items-center gap-10 pt-7 pb-14 sm:pt-12 md:grid-cols-[1fr_20rem] md:gap-8 lg:grid-cols-[1.15fr_1fr] lg:gap-16 lg:py-20">
      <div>
        <p className="mb-2 font-semibold text-brand text-sm sm:text-base">
          {firstName ? `For ${firstName}, from ${brand.name}` : `${brand.product} by ${brand.name}`}
        </p>
        <h1 className="font-bold text-3xl sm:text-4xl lg:text-5xl">{heading}</h1>
        <p className="mt-3 max-w-[34rem] text-ink-soft sm:mt-4 sm:text-lg">{subtitle}</p>
        <div className="mt-6 sm:mt-8">
          {isSubmitted(application) ? (
            <Received application={application} />
          ) : (
            <Start label={startLabel} application={application} />
          )}
        </div>
      </div>
      {children}
    </div>
  );
}
