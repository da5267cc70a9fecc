import * as z from "zod/mini";
import { isEmptyPhone, isPossiblePhone } from "@/lib/domain/phone";

/** Digits with the dial code first. `required` is the message of an empty value; without it, empty is stored as ''. */
export function phone(invalid: string, required?: string) {
  return z.string(required ?? invalid).check(
    z.trim(),
    z.overwrite((digits) => (isEmptyPhone(digits) ? "" : digits)),
    z.refine((digits) => digits !== "" || !required, { error: required, abort: true }),
    z.refine((digits) => /^\d*$/.test(digits), { error: "Only numbers allowed", abort: true }),
    z.refine((digits) => digits === "" || isPossiblePhone(digits), invalid),
  );
}
