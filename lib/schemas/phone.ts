import * as z from "zod/mini";
import { isEmptyPhone, isPossiblePhone } from "@/lib/domain/phone";
import { unsavable } from "./text";

/** Digits with the dial code first. `required` is the message of an empty value; without it, empty is stored as ''. */
export function phone(invalid: string, required?: string) {
  return z.string(required ?? invalid).check(
    z.trim(),
    // Before the length: so short a text counts as empty, and would be taken for none.
    z.refine((text) => !unsavable.test(text), { error: invalid, abort: true }),
    z.overwrite((digits) => (isEmptyPhone(digits) ? "" : digits)),
    z.refine((digits) => digits !== "" || !required, { error: required, abort: true }),
    z.refine((digits) => /^\d*$/.test(digits), { error: "Only numbers allowed", abort: true }),
    z.refine((digits) => digits === "" || isPossiblePhone(digits), invalid),
  );
}
