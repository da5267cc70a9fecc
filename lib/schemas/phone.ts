import { isEmptyPhone, isPossiblePhone } from "@/lib/domain/phone";
import { unsavable } from "./text";
import { overwrite, refine, string, trim } from "./zod";

/** Digits with the dial code first. `required` is the message for an empty value; without it, '' is allowed. */
export function phone(invalid: string, required?: string) {
  return string(
    required ?? invalid,
    trim(),
    // First, since a text of three or fewer characters counts as empty below, and one with a NUL must not.
    refine((text) => !unsavable.test(text), { error: invalid, abort: true }),
    overwrite((digits) => (isEmptyPhone(digits) ? "" : digits)),
    refine((digits) => digits !== "" || !required, { error: required, abort: true }),
    refine((digits) => /^\d*$/.test(digits), { error: "Only numbers allowed", abort: true }),
    refine((digits) => digits === "" || isPossiblePhone(digits), invalid),
  );
}
