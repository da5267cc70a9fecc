import { centsOf, isAmount } from "@/lib/domain/money";
import { minLength, refine, string, trim } from "./zod";

interface Bounds {
  /** The message for an empty amount and, with aboveZero, for 0. */
  required: string;
  aboveZero?: boolean;
  most?: { cents: number; said: string };
}

const largest = { cents: 9_999_999_99, said: "$9,999,999.99" };

/**
 * An amount as a string: plain digits, at most two decimals, nothing rounded.
 * No check aborts: that would skip the check on the dates of the same step.
 */
export function amount(name: string, { required, aboveZero = false, most = largest }: Bounds) {
  return string(
    required,
    trim(),
    minLength(1, required),
    refine((text) => text === "" || isAmount(text), `${name} must be an amount in dollars, such as 450 or 450.50`),
    refine((text) => centsOf(text) <= most.cents, `${name} must be ${most.said} or less`),
    refine((text) => !aboveZero || !isAmount(text) || centsOf(text) > 0, required),
  );
}
