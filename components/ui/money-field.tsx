import { type ChangeEvent, type FocusEvent, type ReactNode, useRef } from "react";
import { centsOf, isAmount, plainAmount, typedAmount, writeCents } from "@/lib/domain/money";
import { FieldFrame, type FieldProps } from "./field-frame";
import { boxedInput, InputBox } from "./input-box";
import { useTypedText } from "./use-typed-text";

interface MoneyFieldProps extends FieldProps {
  value: string;
  /** The currency symbol, shown beside the input. */
  symbol: string;
  /** The maximum in cents; a larger amount is set to it while typing. */
  most?: number;
  readOnly?: boolean;
  echo?: ReactNode;
  onType: (amount: string) => void;
  onBlur?: () => void;
}

/** Once the field is left, '0450.' becomes '450'. Text that is not an amount stays, so that its error message makes sense. */
function tidied(text: string): string {
  const amount = plainAmount(text)
    .replace(/^\.(?=\d)/, "0.")
    .replace(/\.$/, "");
  return isAmount(amount) ? writeCents(centsOf(amount)) : amount;
}

/** Setting value moves the caret to the end, so put it back behind the same character. */
function rewrite(input: HTMLInputElement, text: string): void {
  const behind = input.value.length - (input.selectionStart ?? input.value.length);
  input.value = text;
  const caret = Math.max(0, text.length - behind);
  input.setSelectionRange(caret, caret);
}

export function MoneyField({ value, symbol, most, readOnly, echo, onType, onBlur, ...frame }: MoneyFieldProps) {
  const typed = useTypedText(value, (text, isFocused) => isFocused && centsOf(plainAmount(text)) === centsOf(value));
  const held = useRef(value);

  function type({ target }: ChangeEvent<HTMLInputElement>) {
    const text = typedAmount(target.value, held.current);
    const fitting = most !== undefined && centsOf(plainAmount(text)) > most ? writeCents(most) : text;
    if (fitting !== target.value) rewrite(target, fitting);
    held.current = fitting;
    onType(plainAmount(fitting));
  }

  function leave({ target }: FocusEvent<HTMLInputElement>) {
    const tidy = tidied(target.value);
    if (tidy !== target.value) {
      target.value = tidy;
      onType(tidy);
    }
    onBlur?.();
  }

  return (
    <FieldFrame {...frame} echo={echo}>
      {(wiring) => (
        <InputBox error={frame.error} changed={frame.changed} readOnly={readOnly}>
          <span
            aria-hidden="true"
            className="grid place-items-center border-line border-r bg-paper px-3.5 text-ink-soft"
          >
            {symbol}
          </span>
          <input
            {...wiring}
            {...typed}
            name={frame.id}
            inputMode="decimal"
            autoComplete="off"
            readOnly={readOnly}
            onFocus={({ target }) => {
              held.current = target.value;
            }}
            onChange={type}
            onBlur={leave}
            className={`${boxedInput} basis-0 tabular-nums`}
          />
        </InputBox>
      )}
    </FieldFrame>
  );
}
