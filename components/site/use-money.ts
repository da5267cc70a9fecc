import { createContext, useContext } from "react";
import { formatCents, wholeDollars } from "@/lib/domain/money";
import { useBrand } from "./brand-context";

/** Set around a receipt: every amount has its cents there, also where they are none. */
export const ToTheCent = createContext(false);

/** Amounts as this lender shows them. */
export function useMoney() {
  const style = useBrand();
  const always = useContext(ToTheCent);
  return {
    isToTheCent: always,
    /** Whole dollars, as on the review (specification, section 5). */
    whole: (cents: number) => formatCents(cents, style, always),
    /** The amount that `whole` shows. */
    round: (cents: number) => (always ? cents : wholeDollars(cents)),
    /** To the cent where there are cents: for a sum that must add up. */
    exact: (cents: number) => formatCents(cents, style, always || cents % 100 !== 0),
    /** '$', alone. Formatted on demand: the first formatting is slow, and step 1 shows no amount. */
    get symbol() {
      return formatCents(0, style).replace(/[\d\s]/g, "");
    },
  };
}
