import { type FocusEvent, useState } from "react";
import { formatCalendarDate, isCalendarDate, unfinishedDate } from "@/lib/domain/calendar-date";
import { FieldFrame, type FieldProps } from "./field-frame";
import { boxedInput, InputBox } from "./input-box";

interface DateFieldProps extends FieldProps {
  /** 'YYYY-MM-DD', or empty. */
  value: string;
  locale: string;
  /** Said of a day before today. */
  past?: string;
  readOnly?: boolean;
  onType: (date: string) => void;
  /** With the date, if leaving the field has changed it. */
  onBlur?: (date?: string) => void;
}

/** Today in the device's time zone. */
function today(): string {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/**
 * A native date input, with the date in words below, and what may be odd about it. iOS fills in today as soon as the
 * picker opens, so the words say when the date is today.
 */
export function DateField({ value, locale, past, readOnly, onType, onBlur, ...frame }: DateFieldProps) {
  const [pickedToday, setPickedToday] = useState(false);

  function pick(date: string) {
    setPickedToday(date === today());
    onType(date);
  }

  /** Typing a part of a date fires no change event, and neither does clearing it. */
  function leave({ target }: FocusEvent<HTMLInputElement>) {
    if (target.validity.badInput) onBlur?.(unfinishedDate);
    else onBlur?.(value === unfinishedDate ? target.value : undefined);
  }

  const words = isCalendarDate(value) ? formatCalendarDate(value, locale) : "";
  const isPast = past && value < today();
  const remark =
    pickedToday && value === today() ? "That's today. Change it if you meant another day." : isPast && past;
  const echo = words && remark ? `${words}. ${remark}` : words;
  return (
    <FieldFrame {...frame} echo={echo}>
      {(wiring) => (
        <InputBox error={frame.error} changed={frame.changed} readOnly={readOnly}>
          <input
            {...wiring}
            type="date"
            name={frame.id}
            // A half-typed date is the browser's alone: its input has no value yet.
            value={value === unfinishedDate ? "" : value}
            min="1900-01-01"
            max="2199-12-31"
            readOnly={readOnly}
            onChange={(event) => pick(event.target.value)}
            onBlur={leave}
            className={`${boxedInput} basis-0 tabular-nums ${value ? "" : "empty-date"}`}
          />
        </InputBox>
      )}
    </FieldFrame>
  );
}
