import * as z from "zod/mini";
import { centsOf, isAmount } from "@/lib/domain/money";

/**
 * An amount in dollars as a string: plain digits, at most two decimals, nothing rounded (promises.md, 23).
 * No check aborts: that would silence the check on the dates of the same step.
 */
export function amount(name: string, required: string, most = { cents: 9_999_999_99, said: "$9,999,999.99" }) {
  return z.string(required).check(
    z.trim(),
    z.minLength(1, required),
    z.refine((text) => text === "" || isAmount(text), `${name} must be an amount in dollars, such as 450 or 450.50`),
    z.refine((text) => centsOf(text) <= most.cents, `${name} must be ${most.said} or less`),
  );
}
