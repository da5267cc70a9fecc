import { type Check, maxLength, minLength, normalize, refine, string, trim } from "./zod";

/**
 * Control characters (of them Postgres cannot store NUL), line separators, lone surrogates, which UTF-8 cannot encode, and
 * what turns the direction of a text by force: who reads a record would see something other than what it holds.
 */
export const unsavable = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/**
 * A line of text, trimmed and NFC-normalised before its length is checked.
 * `required` is the message for an empty value; without it the value may be empty.
 */
export function line(
  name: string,
  { required, longest = 120 }: { required?: string; longest?: number } = {},
  ...further: Check[]
) {
  const tooLong = `${name} must be ${longest} characters or fewer`;
  return string(
    required ?? `${name} must be text`,
    trim(),
    // Normalising takes time with the square of the number of marks in the wrong order. NFC makes of four characters at least one.
    maxLength(longest * 4, { error: tooLong, abort: true }),
    normalize("NFC"),
    ...(required ? [minLength(1, { error: required, abort: true })] : []),
    maxLength(longest, tooLong),
    refine((text) => !unsavable.test(text), `${name} has a character that cannot be saved`),
    ...further,
  );
}
