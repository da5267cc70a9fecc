import type { ReactNode } from "react";
import type { Brand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";
import { Addressee } from "./addressee";
import { ByVariant } from "./by-variant";
import { Entrance } from "./entrance";

interface HeroProps {
  brand: Brand;
  /** The picture of the offer. */
  children: ReactNode;
}

/** The words in which the two landings differ (specification, section 1), and the way in. */
export function Hero({ brand, children }: HeroProps) {
  const most = formatCents(maximumAdvance, brand);
  return (
    <div className="page grid grid-cols-1 items-center gap-10 pt-7 pb-14 sm:pt-12 md:grid-cols-[1fr_20rem] md:gap-8 lg:grid-cols-[1.15fr_1fr] lg:gap-16 lg:py-20">
      <div>
        <p className="mb-2 font-semibold text-brand text-sm sm:text-base">
          <Addressee />
        </p>
        <h1 className="font-bold text-3xl sm:text-4xl lg:text-5xl">
          <ByVariant
            preApproval="Get pre-approved for flexible property funding"
            invoice="Unlock future rental income today"
          />
        </h1>
        <p className="mt-3 max-w-[34rem] text-ink-soft sm:mt-4 sm:text-lg">
          <ByVariant
            preApproval={`Find out how much you could access (up to ${most}) with no obligation.`}
            invoice={`Cover a repair or any bill for your rental property now, and repay it from your rent. Up to ${most}, paid straight to your agent.`}
          />
        </p>
        <div className="mt-6 sm:mt-8">
          <Entrance />
        </div>
      </div>
      {children}
    </div>
  );
}
