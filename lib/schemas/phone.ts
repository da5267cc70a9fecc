import { isEmptyPhone, isPossiblePhone, isServiceNumber } from "@/lib/domain/phone";
import { unsavable } from "./text";
import { overwrite, refine, string, trim } from "./zod";

/**
 * Digits with the dial code first. `required` is the message for an empty value; without it, '' is allowed. `service` is
 * the message for a number such as 1300 123 456, where it has its own.
 */
export function phone(invalid: string, { required, service = invalid }: { required?: string; service?: string } = {}) {
  return string(
    required ?? invalid,
    trim(),
    // First, since a text of three or fewer characters counts as empty below, and one with a NUL must not.
    refine((text) => !unsavable.test(text), { error: invalid, abort: true }),
    overwrite((digits) => (isEmptyPhone(digits) ? "" : digits)),
    refine((digits) => digits !== "" || !required, { error: required, abort: true }),
    refine((digits) => /^\d*$/.test(digits), { error: "Only numbers allowed", abort: true }),
    refine((digits) => !isServiceNumber(digits), { error: service, abort: true }),
    refine((digits) => digits === "" || isPossiblePhone(digits), invalid),
  );
}
