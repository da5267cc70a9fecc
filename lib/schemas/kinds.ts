import * as z from "zod/mini";
import type { AnswerKind } from "@/lib/domain/application";
import { firstYear, isCalendarDate, isExistingDate, lastYear, unfinishedDate } from "@/lib/domain/calendar-date";
import { centsOf, currencyName, formatCents, isAmount, type MoneyStyle } from "@/lib/domain/money";
import { isEmptyPhone, isPossiblePhone } from "@/lib/domain/phone";
import { isSource } from "@/lib/domain/source";

/**
 * Control characters (Postgres cannot store NUL), line separators, lone surrogates (UTF-8 cannot encode them), and characters
 * that force the direction of a text. With the last, a reader would see something other than what the record contains.
 */
export const unsavable = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** A character that is more than a space, an accent or an invisible character, such as a zero-width space. */
const visible = /[^\p{DI}\p{Cf}\p{M}\p{Z}]/u;

/**
 * A line of text, trimmed and NFC-normalised before its length is checked.
 * `required` is the message for a value without a visible character; without it the value may be empty.
 */
function text(name: string, { required, maxLength = 120 }: { required?: string; maxLength?: number } = {}) {
  const tooLong = `${name} must be ${maxLength} characters or fewer`;
  return z.string(required ?? `${name} must be text`).check(
    z.trim(),
    // Normalising misordered marks takes quadratic time, so this comes first. NFC shortens a text to a quarter at most.
    z.maxLength(maxLength * 4, { error: tooLong, abort: true }),
    z.normalize("NFC"),
    ...(required ? [z.regex(visible, { error: required, abort: true })] : []),
    z.maxLength(maxLength, tooLong),
    z.refine((line) => !unsavable.test(line), `${name} has a character that can't be saved`),
  );
}

const maxEmailLength = 254;

/** Browsers accept the same characters. Here the domain must have a dot, and before the @ a dot must be between other characters. */
const emailPattern =
  /^(?!\.|.*\.[.@])[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)$/i;

/** Converts an international domain to the ASCII form that mail is sent to. Chromium's email inputs do the same. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  const isInternational = /[^ -~]/.test(domain) && /^[\p{L}\p{M}\p{N}.。．｡-]+$/u.test(domain);
  if (!isInternational || domain.length > maxEmailLength) return address;
  try {
    return address.slice(0, at) + new URL(`http://${domain}`).hostname;
  } catch {
    return address;
  }
}

function email(required: string) {
  // Copying an address from a contact or an email often copies invisible characters as well.
  const copied = z.string(required).check(
    z.overwrite((line) => line.replace(/\p{Cf}/gu, "")),
    z.trim(),
    z.overwrite(withAsciiDomain),
  );
  const line = z.pipe(copied, text("Email", { required, maxLength: maxEmailLength }));
  return z.pipe(line, z.email({ pattern: emailPattern, error: "Invalid email" }));
}

/** Digits with the dial code first. `required` is the message for an empty value; without it, '' is allowed. */
function phone(invalid: string, { required }: { required?: string } = {}) {
  return z.string(required ?? invalid).check(
    z.trim(),
    // This comes first: three or fewer characters count as empty below, but a text with a NUL must be refused.
    z.refine((digits) => !unsavable.test(digits), { error: invalid, abort: true }),
    z.overwrite((digits) => (isEmptyPhone(digits) ? "" : digits)),
    z.refine((digits) => digits !== "" || !required, { error: required, abort: true }),
    z.refine((digits) => /^\d*$/.test(digits), { error: "Only numbers allowed", abort: true }),
    z.refine((digits) => digits === "" || isPossiblePhone(digits), invalid),
  );
}

function date(name: string) {
  return z.string(`${name} is required`).check(
    z.trim(),
    z.minLength(1),
    z.refine((day) => day !== unfinishedDate, {
      error: `${name} isn't complete: enter its day, month and year`,
      abort: true,
    }),
    z.refine((day) => day === "" || isExistingDate(day), { error: `${name} must be a real date`, abort: true }),
    z.refine(
      (day) => day === "" || isCalendarDate(day),
      `${name} must have a year from ${firstYear} to ${lastYear}: check what you typed`,
    ),
  );
}

/** The message for text that is not an amount. */
export function amountMessage(name: string, style: MoneyStyle): string {
  return `${name} must be an amount in ${currencyName(style)}, such as 450 or 450.50`;
}

interface Bounds {
  /** The message for an empty amount. */
  required: string;
  aboveZero?: boolean;
  /** In cents. */
  max?: number;
}

/**
 * An amount as a string: plain digits, at most two decimals, nothing rounded.
 * No check aborts, because that would skip the check on the dates of the same step.
 */
function money(name: string, style: MoneyStyle, { required, aboveZero = false, max = 9_999_999_99 }: Bounds) {
  return z.string(required).check(
    z.trim(),
    z.minLength(1),
    // More digits than an amount may have are too many, and not unreadable.
    z.refine((amount) => amount === "" || isAmount(amount) || centsOf(amount) > max, amountMessage(name, style)),
    z.refine((amount) => centsOf(amount) <= max, `${name} must be ${formatCents(max, style, max % 100 !== 0)} or less`),
    z.refine(
      (amount) => !aboveZero || !isAmount(amount) || centsOf(amount) > 0,
      `${name} must be more than ${formatCents(0, style)}`,
    ),
  );
}

/** The name of one of the declared options. `required` is the message for ''; without it, '' is allowed. */
function choice(name: string, options: Readonly<Record<string, string>>, { required }: { required?: string } = {}) {
  return z.string(required ?? `${name} must be one of the options`).check(
    ...(required ? [z.minLength(1, { abort: true })] : []),
    z.refine((chosen) => chosen === "" || Object.hasOwn(options, chosen), `${name} must be one of the options`),
  );
}

function checkbox(name: string) {
  return z.boolean(`${name} must be true or false`);
}

function source() {
  const unreadable = "Source is not valid";
  return z.string(unreadable).check(z.refine((value) => value === "" || isSource(value), unreadable));
}

/** The schema of each kind of answer. A kind without a schema does not compile. */
export const kinds = { text, email, phone, date, money, choice, checkbox, source } satisfies Record<
  AnswerKind,
  unknown
>;
