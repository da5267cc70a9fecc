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

/** Today in the device's time zone. */
function today(): string {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/**
 * A native date input, with the date in words below. iOS fills in today as soon as the picker opens, so the words say
 * when the date is today.
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
