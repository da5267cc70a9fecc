import { useRef, useState } from "react";
import { countryByCode, countryOf, isEmptyPhone, isPossiblePhone } from "@/lib/domain/phone";
import { exceedsTypingLimit, nationalPart, readTypedPhone, typablePhone } from "@/lib/domain/typed-phone";
import { Button } from "./button";
import { CountrySelect } from "./country-select";
import { boxedInput, FieldFrame, type FieldProps } from "./field-frame";
import { useDomesticPhone, useNationalPhone } from "./phone-format";
import { type ReadEntry, useTextInput } from "./use-text-input";

interface PhoneFieldProps extends FieldProps {
  /** Digits that begin with the dial code, or empty. */
  value: string;
  /** The picked country. It decides between countries that share a dial code, and applies while the field is empty. */
  picked: string;
  autoComplete?: string;
  onChange: (digits: string) => void;
  onPick: (countryCode: string) => void;
  /** The number with the digit that was refused, until it is edited. */
  refused?: string;
  /** Called when a typed digit is not accepted, because the number would be too long. `digits` includes it. */
  onRefuse: (message: string, digits: string) => void;
  /** Called when the person says that the number is right without the refused digit. */
  onConfirm: () => void;
  /** Receives the digits if a pasted number is too long or another country was picked, so that an error shows at once. */
  onBlur?: (digits?: string) => void;
}

export function PhoneField({
  value,
  picked,
  autoComplete,
  refused,
  onChange,
  onPick,
  onRefuse,
  onConfirm,
  onBlur,
  ...frame
}: PhoneFieldProps) {
  const undecided = isEmptyPhone(value) && !frame.readOnly;
  const country = undecided ? countryByCode(picked) : countryOf(value, picked);
  const code = country?.code ?? null;
  const national = useNationalPhone(value, country);
  const domestic = useDomesticPhone(value, country);
  const box = useRef<HTMLInputElement>(null);
  // The text as it was typed. It is shown for as long as it stands for the same number as `value`.
  const [typed, setTyped] = useState<string | null>(null);
  const [wasPicked, setWasPicked] = useState(false);
  const text = typed !== null && readTypedPhone(typed, code).digits === value ? typed : national;

  const read: ReadEntry = (entered, entry, before) => {
    // Some password managers fill in read-only fields as well.
    if (frame.readOnly) return text;
    setWasPicked(false);
    const typable = typablePhone(entered);
    const phone = readTypedPhone(typable, code, entry === "typed" && typable.length > before.length);
    const isTooLong = exceedsTypingLimit(phone);
    if (isTooLong && entry === "composing") return entered;
    if (isTooLong && entry === "typed" && phone.digits.length > value.length) {
      onRefuse(`We left out the last digit you typed. Is ${domestic} right?`, phone.digits);
      return before;
    }
    if (entry !== "composing") setTyped(typable);
    if (phone.country && phone.country !== code) onPick(phone.country);
    // Text that was pasted or filled in by the browser stays complete and shows at once that it is too long.
    if (isTooLong && entry === "pasted") onBlur?.(phone.digits);
    else onChange(phone.digits);
    return typable;
  };

  const input = useTextInput(text, read, frame.invited);

  function pick(next: string) {
    const { dialCode } = countryByCode(next);
    // Another country may accept the refused digit. Without it, the number would look complete.
    const nationalDigits = nationalPart(refused ?? value, country);
    onPick(next);
    setWasPicked(nationalDigits !== "");
    if (nationalDigits === "") onChange("");
    else onBlur?.(readTypedPhone(`+${dialCode}${nationalDigits}`, next).digits);
  }

  /**
   * Digits are grouped on blur, because reformatting while typing would move the caret. A number that is not complete stays
   * as it was typed, so that the error message makes sense.
   */
  function leave() {
    if (isEmptyPhone(value) || isPossiblePhone(value)) setTyped(null);
    onBlur?.();
  }

  /** The button disappears with its question, so the focus moves to the number. */
  function confirm() {
    box.current?.focus();
    onConfirm();
  }

  return (
    <FieldFrame
      {...frame}
      refuses={refused !== undefined || wasPicked}
      answer={
        refused !== undefined && (
          <Button variant="secondary" onClick={confirm} className="mt-1 self-start">
            Yes, it's right
          </Button>
        )
      }
    >
      {(controlProps) => (
        <>
          <CountrySelect
            id={`${frame.id}-country`}
            nameId={`${frame.id}-country-name`}
            country={country}
            readOnly={frame.readOnly}
            onPick={pick}
          />
          <input
            {...controlProps}
            {...input}
            ref={box}
            aria-describedby={`${controlProps["aria-describedby"] ?? ""} ${frame.id}-country-name`.trim()}
            type="tel"
            inputMode="tel"
            autoComplete={autoComplete}
            readOnly={frame.readOnly}
            onBlur={leave}
            className={`${boxedInput} basis-32`}
          />
        </>
      )}
    </FieldFrame>
  );
}
