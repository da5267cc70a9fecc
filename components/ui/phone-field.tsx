import { type ChangeEvent, useState } from "react";
import { countries, countryByCode, countryOf, isEmptyPhone, isPossiblePhone } from "@/lib/domain/phone";
import {
  isLongerThanTyped,
  longestMessage,
  nationalPart,
  readTypedPhone,
  typablePhone,
} from "@/lib/domain/typed-phone";
import { CountrySelect } from "./country-select";
import { FieldFrame, type FieldProps } from "./field-frame";
import { boxedInput, InputBox, isPasted } from "./input-box";
import { useNationalPhone } from "./phone-format";

interface PhoneFieldProps extends FieldProps {
  /** Digits with the dial code first, or empty. */
  value: string;
  /** The picked country: it decides between countries that share a dial code, and while the field is empty. */
  picked: string;
  autoComplete?: string;
  readOnly?: boolean;
  onType: (digits: string) => void;
  onPick: (countryCode: string) => void;
  /** One digit more was typed than the number can have, and was not accepted. `digits` has it. */
  onRefuse: (message: string, digits: string) => void;
  /** With the digits, if pasting them is to show what is wrong with them. */
  onBlur?: (digits?: string) => void;
}

/** The value as it was before the key, with the caret where it was. */
function putBack(input: HTMLInputElement, text: string): void {
  const caret = (input.selectionStart ?? input.value.length) - 1;
  input.value = text;
  input.setSelectionRange(caret, caret);
}

export function PhoneField({
  value,
  picked,
  autoComplete,
  readOnly,
  onType,
  onPick,
  onRefuse,
  onBlur,
  ...frame
}: PhoneFieldProps) {
  const undecided = isEmptyPhone(value) && !readOnly;
  const country = undecided ? countryByCode(picked) : countryOf(value, picked);
  const code = country?.code ?? null;
  const national = useNationalPhone(value, country);
  // What is being typed, as it is typed, for as long as it means the value.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed !== null && readTypedPhone(typed, code).digits === value ? typed : national;

  function type(event: ChangeEvent<HTMLInputElement>) {
    const { target } = event;
    const isWhole = isPasted(text, event);
    const caret = target.selectionStart ?? target.value.length;
    const kept = typablePhone(target.value);
    const phone = readTypedPhone(kept, code, !isWhole && kept.length > text.length);
    const isTooLong = isLongerThanTyped(phone);
    if (isTooLong && !isWhole && phone.digits.length > value.length) {
      putBack(target, text);
      return onRefuse(longestMessage(phone), phone.digits);
    }
    if (kept !== target.value) {
      const before = typablePhone(target.value.slice(0, caret)).length;
      target.value = kept;
      target.setSelectionRange(before, before);
    }
    setTyped(kept);
    if (phone.country && phone.country !== code) onPick(phone.country);
    // Pasted or filled in by the browser: all of it stays, and shows at once that it is too long.
    if (isTooLong && isWhole) onBlur?.(phone.digits);
    else onType(phone.digits);
  }

  function pick(next: string) {
    const { dialCode } = countryByCode(next);
    const same = nationalPart(value, country);
    onPick(next);
    onType(same && readTypedPhone(`+${dialCode}${same}`, next).digits);
  }

  /**
   * Digits are grouped once the field is left: reformatting while typing would move the caret. What is no number yet stays
   * as it was typed, so that its message makes sense.
   */
  function leave() {
    if (isEmptyPhone(value) || isPossiblePhone(value)) setTyped(null);
    onBlur?.();
  }

  return (
    <FieldFrame {...frame}>
      {(wiring) => (
        <InputBox error={frame.error} changed={frame.changed} readOnly={readOnly}>
          <CountrySelect
            id={`${frame.id}-country`}
            country={country}
            countries={countries}
            readOnly={readOnly}
            onPick={pick}
          />
          <input
            {...wiring}
            value={text}
            type="tel"
            inputMode="tel"
            name={frame.id}
            autoComplete={autoComplete}
            readOnly={readOnly}
            onChange={type}
            onBlur={leave}
            className={`${boxedInput} basis-32`}
          />
        </InputBox>
      )}
    </FieldFrame>
  );
}
