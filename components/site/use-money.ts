import { formatCents, wholeDollars } from "@/lib/domain/money";
import { useBrand } from "./brand-context";

/** Formats amounts in the lender's currency and locale. */
export function useMoney() {
  const style = useBrand();
  /** Whole dollars, as on the review (specification, section 5). */
  const whole = (cents: number) => formatCents(cents, style);
  /** Rounds to the amount that `whole` shows. */
  const round = wholeDollars;
  /** Shows cents unless they are 00, for sums that must add up. */
  const exact = (cents: number) => formatCents(cents, style, cents % 100 !== 0);
  return {
    whole,
    round,
    exact,
    /** The earlier amount of a change on a review: whole dollars, or to the cent if they would not show the change. */
    earlier: (cents: number, now: number) =>
      round(cents) === round(now) ? formatCents(cents, style, true) : whole(cents),
    /** The currency symbol alone, such as '$'. A getter, because the first formatting is slow and step 1 shows no amount. */
    get symbol() {
      return formatCents(0, style).replace(/[\d\s]/g, "");
    },
  };
}
