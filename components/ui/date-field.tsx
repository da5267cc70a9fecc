import { useState } from "react";
import { formatCalendarDate, isCalendarDate } from "@/lib/domain/calendar-date";
import { FieldFrame, type FieldProps } from "./field-frame";
import { boxedInput, InputBox } from "./input-box";
import { useTypedText } from "./use-typed-text";

interface DateFieldProps extends FieldProps {
  /** 'YYYY-MM-DD', or empty. */
  value: string;
  locale: string;
  readOnly?: boolean;
  onType: (date: string) => void;
  onBlur?: () => void;
}

/** Today as this device's calendar shows it. */
function today(): string {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/**
 * The device's own date picker, with the chosen date in words beneath. An iPhone writes today into an empty date as
 * soon as the picker opens: so a date that is today says that it is.
 */
export function DateField({ value, locale, readOnly, onType, onBlur, ...frame }: DateFieldProps) {
  const typed = useTypedText(value);
  const [pickedToday, setPickedToday] = useState(false);

  function pick(date: string) {
    setPickedToday(date === today());
    onType(date);
  }

  const words = isCalendarDate(value) ? formatCalendarDate(value, locale) : "";
  const echo = words && (pickedToday ? `${words}. That is today: change it if you meant another day.` : words);
  return (
    <FieldFrame {...frame} echo={echo}>
      {(wiring) => (
        <InputBox error={frame.error} changed={frame.changed} readOnly={readOnly}>
          <input
            {...wiring}
            {...typed}
            type="date"
            name={frame.id}
            min="1900-01-01"
            max="2199-12-31"
            enterKeyHint="next"
            readOnly={readOnly}
            onChange={(event) => pick(event.target.value)}
            onBlur={onBlur}
            className={`${boxedInput} basis-0 tabular-nums`}
          />
        </InputBox>
      )}
    </FieldFrame>
  );
}
