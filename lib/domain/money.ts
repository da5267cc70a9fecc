/**
 * Money is counted in whole cents, as integers, so that no sum ever passes through a binary fraction.
 * An amount as people write it is a string of dollars: digits, at most one point, at most two digits behind it.
 */
const written = /^\d{1,12}(?:\.\d{1,2})?$/;

export function isAmount(text: string): boolean {
  return written.test(text);
}

/** Cents of a written amount. An empty or unfinished amount counts as 0 (specification, section 3: numeric defaults). */
export function centsOf(text: string): number {
  const tidy = text.trim().replace(/\.$/, "");
  if (!isAmount(tidy)) return 0;
  const [dollars = "0", fraction = ""] = tidy.split(".");
  return Number(dollars) * 100 + Number(fraction.padEnd(2, "0"));
}

/** The shortest exact way to write an amount: "2450", "2450.50". */
export function writeCents(cents: number): string {
  const dollars = Math.trunc(cents / 100);
  const rest = cents % 100;
  return rest === 0 ? String(dollars) : `${dollars}.${String(rest).padStart(2, "0")}`;
}

export interface MoneyStyle {
  locale: string;
  currency: string;
}

/** For reading: whole dollars without decimals (specification, section 5), or to the cent where `exact`. */
export function formatCents(cents: number, { locale, currency }: MoneyStyle, exact = false): string {
  const digits = exact ? 2 : 0;
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(cents / 100);
}

/** Keeps only what an amount may hold while it is typed or pasted: digits and one decimal point with two places. */
export function typedAmount(text: string): string {
  const [dollars = "", ...rest] = text.replace(/[^\d.]/g, "").split(".");
  return rest.length === 0 ? dollars : `${dollars}.${rest.join("").slice(0, 2)}`;
}
