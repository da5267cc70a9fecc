import type { LandingVariant } from "@/lib/domain/source";

interface ShownLanding {
  /** A source whose links open this variant. */
  source: string;
  heading: string;
  start: string;
}

/** The compiler requires an entry here for a new variant, which the tests of screens and accessibility then open. */
export const landings: Record<LandingVariant, ShownLanding> = {
  "pre-approval": {
    source: "ba",
    heading: "Get pre-approved for flexible property funding",
    start: "Start pre-approval",
  },
  invoice: { source: "other", heading: "Unlock future rental income today", start: "Get started" },
};
