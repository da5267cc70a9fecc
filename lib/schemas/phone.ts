import { isEmptyPhone, isPossiblePhone } from "@/lib/domain/phone";
import { unsavable } from "./text";
import { overwrite, refine, string, trim } from "./zod";

/** Digits with the dial code first. `required` is the message of an empty value; without it, empty is stored as ''. */
export function phone(invalid: string, required?: string) {
  return string(
    required ?? invalid,
    trim(),
    // Before the length: so short a text counts as empty, and would be taken for none.
    refine((text) => !unsavable.test(text), { error: invalid, abort: true }),
    overwrite((digits) => (isEmptyPhone(digits) ? "" : digits)),
    refine((digits) => digits !== "" || !required, { error: required, abort: true }),
    refine((digits) => /^\d*$/.test(digits), { error: "Only numbers allowed", abort: true }),
    refine((digits) => digits === "" || isPossiblePhone(digits), invalid),
  );
}
