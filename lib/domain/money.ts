import { addedText } from "./added-text";

/**
 * Sums are computed in whole cents, as integers, never in binary fractions.
 * A written amount is a string: digits, at most one point, at most two digits after it.
 */
const written = /^\d{1,12}(?:\.\d{1,2})?$/;
/** Amounts longer than `written` allows count as this, so that limits still apply to them. */
const mostCents = 999_999_999_999_99;

export function isAmount(text: string): boolean {
  return written.test(text);
}

/** Cents of a written amount. An empty or unfinished amount counts as 0 (specification, section 3: numeric defaults). */
export function centsOf(text: string): number {
  const tidy = text.trim().replace(/\.$/, "");
  if (/^\d{13,}(?:\.\d{1,2})?$/.test(tidy)) return mostCents;
  if (!isAmount(tidy)) return 0;
  const [dollars, fraction = ""] = tidy.split(".");
  return Number(dollars) * 100 + Number(fraction.padEnd(2, "0"));
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

/** Cached: creating a formatter costs a hundred times what using it does, and amounts are shown while typing. */
const formatters = new Map<string, Intl.NumberFormat>();

/** For reading: whole dollars without decimals (specification, section 5), or to the cent where `exact`. */
export function formatCents(cents: number, { locale, currency }: MoneyStyle, exact = false): string {
  const digits = exact ? 2 : 0;
  const key = `${locale} ${currency} ${digits}`;
  const formatter =
    formatters.get(key) ??
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formatters.set(key, formatter);
  return formatter.format(cents / 100);
}

/** The whole dollars, in cents, that `formatCents` shows. */
export function wholeDollars(cents: number): number {
  return Math.round(cents / 100) * 100;
}

/** What an amount is counted in, in a sentence: 'dollars'. */
export function currencyName({ locale, currency }: MoneyStyle): string {
  const parts = new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "name" }).formatToParts(
    2,
  );
  const name = parts.find(({ type }) => type === "currency")?.value ?? currency;
  // 'US dollars', 'Australian dollars'
  return name.split(" ").at(-1) ?? name;
}

const withoutSymbols = (text: string) => text.replace(/[\s\p{Sc}]/gu, "");

/** What may become an amount. */
const typedPart = /^\d{0,12}(?:,\d{3})*(?:[.,]\d{0,2})?$/;
const withThousands = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/;

/**
 * The content of an amount field after a key was pressed in it: digits, commas and a decimal point. A key that cannot make
 * an amount leaves the field as it was: the third decimal of '1.234' would silently turn it into another amount. Deleting
 * always works.
 */
export function typedAmount(text: string, before: string): string {
  const bare = withoutSymbols(text);
  if (typedPart.test(bare)) return bare;
  return addedText(before, text) === "" ? text : before;
}

/** An amount as people write it, as digits and a point: a comma before three digits is of thousands, before one or two decimal. */
export function plainAmount(text: string): string {
  const bare = withoutSymbols(text);
  return withThousands.test(bare) ? bare.replaceAll(",", "") : bare.replace(/^(\d*),(\d{0,2})$/, "$1.$2");
}

/** '0450.' as '450', '.5' as '0.50'. Text that is no amount stays, so that its error message makes sense. */
export function tidyAmount(text: string): string {
  const amount = plainAmount(text)
    .replace(/^\.(?=\d)/, "0.")
    .replace(/\.$/, "");
  return isAmount(amount) ? writeCents(centsOf(amount)) : amount;
}

/** A weekly rent as a lease or an email writes it, without its spaces. Other periods are not read. */
const quoted =
  /^(?:aud?|usd?|a)?\p{Sc}?([\d.,]+)(?:aud|usd|dollars)?(?:pw|p\.w\.?|p\/w|\/w|\/wk|\/week|perweek|perwk|aweek|weekly)?$/iu;
const longestQuoted = 40;

/** The amount in pasted text: 650 of '$650 pw', 'AUD 650' and '650/week'. Null where there is none that can be read. */
export function pastedAmount(text: string): string | null {
  const bare = text.length > longestQuoted ? "" : text.replace(/\s/g, "");
  const amount = tidyAmount(quoted.exec(bare)?.[1] ?? "");
  return isAmount(amount) ? amount : null;
}
