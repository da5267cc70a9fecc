import * as z from "zod/mini";

/** NUL, which Postgres refuses, and half of a surrogate pair, which is no character at all. */
export const unsavable = /\0|\p{Cs}/u;

/**
 * A line of text: trimmed and NFC-normalised before its length is judged.
 * `required` is the message of an empty value; without it the value may be empty.
 */
export function line(name: string, { required, longest = 120 }: { required?: string; longest?: number } = {}) {
  const checks = [
    z.maxLength(longest, `${name} must be ${longest} characters or fewer`),
    z.refine<string>((text) => !unsavable.test(text), `${name} has a character that cannot be saved`),
  ];
  const notEmpty = required ? [z.minLength(1, { error: required, abort: true })] : [];
  return z.string(required ?? `${name} must be text`).check(z.trim(), z.normalize("NFC"), ...notEmpty, ...checks);
}
