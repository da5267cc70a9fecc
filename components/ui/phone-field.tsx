import { type ChangeEvent, useState } from "react";
import { countries, countryByCode, countryOf, isEmptyPhone, isPossiblePhone } from "@/lib/domain/phone";
import { nationalPart, readTypedPhone, typablePhone } from "@/lib/domain/typed-phone";
import { CountrySelect } from "./country-select";
import { FieldFrame, type FieldProps } from "./field-frame";
import { boxedInput, InputBox } from "./input-box";
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
  onBlur?: () => void;
}

export function PhoneField({
  value,
  picked,
  autoComplete,
  readOnly,
  onType,
  onPick,
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

  function type({ target }: ChangeEvent<HTMLInputElement>) {
    const caret = target.selectionStart ?? target.value.length;
    const kept = typablePhone(target.value);
    if (kept !== target.value) {
      const before = typablePhone(target.value.slice(0, caret)).length;
      target.value = kept;
      target.setSelectionRange(before, before);
    }
    setTyped(kept);
    const phone = readTypedPhone(kept, code);
    if (phone.country && phone.country !== code) onPick(phone.country);
    onType(phone.digits);
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
