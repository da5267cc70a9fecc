import { type ReactNode, useState } from "react";
import { centsOf, isAmount, isUnreadable, pastedAmount, tidyAmount, typedAmount, writeCents } from "@/lib/domain/money";
import { boxedInput, FieldFrame, type FieldProps } from "./field-frame";
import { type ReadEntry, useTextInput } from "./use-text-input";

interface MoneyFieldProps extends FieldProps {
  value: string;
  symbol: string;
  /** The maximum in cents. A larger amount is reduced to it while typing. */
  max?: number;
  /** The reason, shown once an amount has been reduced. */
  maxReason?: string;
  echo?: ReactNode;
  onChange: (amount: string) => void;
  /** Receives pasted text that is not an amount. The field keeps it, so that the error message makes sense. */
  onUnreadable: (text: string) => void;
  onBlur?: () => void;
}

/** Whether the typed text stands for `value`. Unreadable text counts as 0, but it does not stand for an amount of 0. */
function standsFor(typed: string, value: string): boolean {
  return centsOf(tidyAmount(typed)) === centsOf(value) && !(isUnreadable(typed) && isAmount(value));
}

export function MoneyField({
  value,
  symbol,
  max = Number.POSITIVE_INFINITY,
  maxReason,
  onChange,
  onUnreadable,
  onBlur,
  ...frame
}: MoneyFieldProps) {
  // The text as it was typed. It is shown until `value` changes to another amount.
  const [typed, setTyped] = useState<string | null>(null);
  if (typed !== null && !standsFor(typed, value)) setTyped(null);
  const [reducedTo, setReducedTo] = useState<number | null>(null);
  // Any later change clears it, because the same amount may come back without having been reduced.
  if (reducedTo !== null && (reducedTo !== max || reducedTo !== centsOf(value))) setReducedTo(null);
  const text = typed ?? value;

  const read: ReadEntry = (entered, entry, before) => {
    const amount = entry === "typed" ? typedAmount(entered, before) : pastedAmount(entered);
    // Text with too many digits for an amount is also too large. Other text that is not an amount counts as 0.
    const isTooLarge = centsOf(tidyAmount(amount ?? entered)) > max;
    setReducedTo(isTooLarge ? max : null);
    const fitting = isTooLarge ? writeCents(max) : (amount ?? entered);
    if (entry === "composing") {
      onChange(tidyAmount(fitting));
      return entered;
    }
    const shown = entry === "restored" && !isTooLarge ? entered : fitting;
    setTyped(shown);
    if (entry === "pasted" && amount === null && !isTooLarge) onUnreadable(shown);
    else onChange(tidyAmount(shown));
    return shown;
  };

  const input = useTextInput(text, read, frame.invited);

  function leave() {
    if (typed === null || isAmount(tidyAmount(typed))) setTyped(null);
    onBlur?.();
  }

  return (
    <FieldFrame
      {...frame}
      narrow
      after={
        maxReason && (
          <p role="status" className="font-semibold text-sm empty:-mt-1.5">
            {reducedTo !== null && maxReason}
          </p>
        )
      }
    >
      {(controlProps) => (
        <>
          <span
            aria-hidden="true"
            className="grid place-items-center border-line border-r bg-paper px-3.5 text-ink-soft"
          >
            {symbol}
          </span>
          <input
            {...controlProps}
            {...input}
            inputMode="decimal"
            autoComplete="off"
            readOnly={frame.readOnly}
            onBlur={leave}
            className={`${boxedInput} basis-0 tabular-nums`}
          />
        </>
      )}
    </FieldFrame>
  );
}
