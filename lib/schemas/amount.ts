import { centsOf, currencyName, formatCents, isAmount, type MoneyStyle } from "@/lib/domain/money";
import { minLength, refine, string, trim } from "./zod";

interface Bounds {
  /** The message for an empty amount and, with aboveZero, for 0. */
  required: string;
  aboveZero?: boolean;
  /** In cents. */
  most?: number;
}

const largest = 9_999_999_99;

/**
 * An amount as a string: plain digits, at most two decimals, nothing rounded.
 * No check aborts: that would skip the check on the dates of the same step.
 */
export function amount(name: string, style: MoneyStyle, { required, aboveZero = false, most = largest }: Bounds) {
  return string(
    required,
    trim(),
    minLength(1, required),
    refine(
      (text) => text === "" || isAmount(text),
      `${name} must be an amount in ${currencyName(style)}, such as 450 or 450.50`,
    ),
    refine((text) => centsOf(text) <= most, `${name} must be ${formatCents(most, style, most % 100 !== 0)} or less`),
    refine((text) => !aboveZero || !isAmount(text) || centsOf(text) > 0, required),
  );
}
