import type { Brand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";
import type { LandingVariant } from "@/lib/domain/source";

interface Offer {
  heading: string;
  subtitle: string;
  startLabel: string;
}

/** The words in which the two landings differ (specification, section 1). */
export function offer(variant: LandingVariant, brand: Brand): Offer {
  const most = formatCents(maximumAdvance, brand);
  if (variant === "pre-approval") {
    return {
      heading: "Get pre-approved for flexible property funding",
      subtitle: `Find out how much you could access (up to ${most}) with no obligation.`,
      startLabel: "Start pre-approval",
    };
  }
  return {
    heading: "Unlock future rental income today",
    subtitle: `Cover a repair or any bill for your rental property now, and repay it from your rent. Up to ${most}, paid straight to your agent.`,
    startLabel: "Get started",
  };
}
