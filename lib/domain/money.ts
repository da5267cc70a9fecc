import { addedText } from "./added-text";
import { cached } from "./cached";
import { withPlainDigits } from "./plain-digits";

/**
 * Sums are computed in whole cents, as integers, never in binary fractions.
 * A written amount is a string: digits, at most one point, at most two digits after it.
 */
const amountPattern = /^\d{1,12}(?:\.\d{1,2})?$/;
/** Amounts longer than `amountPattern` allows count as this, so that limits still apply to them. */
const maxCents = 999_999_999_999_99;

export function isAmount(text: string): boolean {
  return amountPattern.test(text);
}

/** Cents of a written amount. An empty or unfinished amount counts as 0 (specification, section 3: numeric defaults). */
export function centsOf(text: string): number {
  const tidy = text.trim().replace(/\.$/, "");
  if (/^\d{13,}(?:\.\d{1,2})?$/.test(tidy)) return maxCents;
  if (!isAmount(tidy)) return 0;
  const [dollars, fraction = ""] = tidy.split(".");
  return Number(dollars) * 100 + Number(fraction.padEnd(2, "0"));
}

export function isSameAmount(left: string, right: string): boolean {
  return left !== "" && right !== "" && centsOf(left) === centsOf(right);
}

/** The shortest exact form of an amount: "2450", "2450.50". */
export function writeCents(cents: number): string {
  const dollars = Math.trunc(cents / 100);
  const rest = cents % 100;
  return rest === 0 ? String(dollars) : `${dollars}.${String(rest).padStart(2, "0")}`;
}

export interface MoneyStyle {
  locale: string;
  currency: string;
}

const currencyFormat = cached(
  (locale: string, currency: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }),
);

/** Formats an amount in whole dollars without decimals (specification, section 5), or to the cent if `exact`. */
export function formatCents(cents: number, { locale, currency }: MoneyStyle, exact = false): string {
  return currencyFormat(locale, currency, exact ? 2 : 0).format(cents / 100);
}

/** Rounds cents to the whole dollars that `formatCents` shows. */
export function wholeDollars(cents: number): number {
  return Math.round(cents / 100) * 100;
}

/** The name of the currency within a sentence: 'dollars'. */
export function currencyName({ locale, currency }: MoneyStyle): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "name" });
  const name = format.formatToParts(2).find(({ type }) => type === "currency")?.value ?? currency;
  // The name may be 'US dollars' or 'Australian dollars'.
  return name.split(" ").at(-1) ?? name;
}

const withoutSymbols = (text: string) => text.replace(/[\s\p{Sc}]/gu, "");

/** Digits of any script, and the points and commas that keyboards type between them. */
const amountCharacters = /^[\p{Nd}.,٫٬．。｡，،]*$/u;
const withThousands = /^\d{1,3}(?:[,٬]\d{3})+(?:\.\d*)?$/;

/**
 * The content of an amount field after a key was pressed. Letters and signs are not taken. Digits, points and commas always are,
 * even if they make no amount: dropping the third decimal of '1.234' would silently turn it into a different amount.
 * Deleting always works.
 */
export function typedAmount(text: string, before: string): string {
  const bare = withoutSymbols(text);
  if (amountCharacters.test(bare)) return bare;
  return amountCharacters.test(addedText(before, text)) ? text : before;
}

/** Converts digits, points and commas of other scripts. '٬' separates only thousands, so it does not become a comma. */
const inPlainCharacters = (text: string) =>
  withPlainDigits(text)
    .replace(/[٫．。｡]/g, ".")
    .replace(/[，،]/g, ",");

/** Normalises an amount to digits and a point. A comma before three digits separates thousands, before one or two decimals. */
export function plainAmount(text: string): string {
  const bare = inPlainCharacters(withoutSymbols(text));
  return withThousands.test(bare) ? bare.replace(/[,٬]/g, "") : bare.replace(/^(\d*),(\d{0,2})$/, "$1.$2");
}

/** Turns '0450.' into '450' and '.5' into '0.50'. Other text stays as it is, so that its error message makes sense. */
export function tidyAmount(text: string): string {
  const amount = plainAmount(text)
    .replace(/^\.(?=\d)/, "0.")
    .replace(/\.$/, "");
  return isAmount(amount) ? writeCents(centsOf(amount)) : amount;
}

/** True for text that is neither an amount nor empty, and not the beginning of an amount such as '450.' either. */
export function isUnreadable(text: string): boolean {
  const amount = tidyAmount(text);
  return amount !== "" && !isAmount(amount);
}

/** A weekly rent as a lease or an email states it, without spaces. Rents for other periods do not match. */
const quoted =
  /^(?:aud?|usd?|a)?\p{Sc}?([\d.,٬]+)(?:aud|usd|dollars)?(?:pw|p\.w\.?|p\/w|\/w|\/wk|\/week|perweek|perwk|aweek|weekly)?$/iu;
const maxQuotedLength = 40;

/** The amount in pasted text: 650 for '$650 pw', 'AUD 650' and '650/week'. Null if no amount can be read. */
export function pastedAmount(text: string): string | null {
  const bare = text.length > maxQuotedLength ? "" : inPlainCharacters(text.replace(/\s/g, ""));
  const amount = tidyAmount(quoted.exec(bare)?.[1] ?? "");
  return isAmount(amount) ? amount : null;
}
