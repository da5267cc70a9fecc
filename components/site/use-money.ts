import { formatCents } from "@/lib/domain/money";
import { useBrand } from "./brand-context";

/** Amounts as this lender shows them. */
export function useMoney() {
  const style = useBrand();
  return {
    /** Whole dollars, as on the review (specification, section 5). */
    whole: (cents: number) => formatCents(cents, style),
    /** To the cent where there are cents: for a sum that must add up. */
    exact: (cents: number) => formatCents(cents, style, cents % 100 !== 0),
    /** '$', alone. */
    symbol: formatCents(0, style).replace(/[\d\s]/g, ""),
  };
}
