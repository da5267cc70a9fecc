import { type ChangeEvent, type ReactNode, useState } from "react";
import { centsOf, isAmount, plainAmount, typedAmount, writeCents } from "@/lib/domain/money";
import { FieldFrame, type FieldProps } from "./field-frame";
import { boxedInput, InputBox } from "./input-box";

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

/** '0450.' means '450', which the field shows once it is left. Text that is not an amount stays, so that its error message makes sense. */
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
  // What is being typed, as it is typed, for as long as it means the value.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed !== null && centsOf(plainAmount(typed)) === centsOf(value) ? typed : value;

  function type({ target }: ChangeEvent<HTMLInputElement>) {
    const amount = typedAmount(target.value, text);
    const fitting = most !== undefined && centsOf(plainAmount(amount)) > most ? writeCents(most) : amount;
    if (fitting !== target.value) rewrite(target, fitting);
    setTyped(fitting);
    onType(tidied(fitting));
  }

  function leave() {
    setTyped(null);
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
            name={frame.id}
            value={text}
            inputMode="decimal"
            autoComplete="off"
            readOnly={readOnly}
            onChange={type}
            onBlur={leave}
            className={`${boxedInput} basis-0 tabular-nums`}
          />
        </InputBox>
      )}
    </FieldFrame>
  );
}
