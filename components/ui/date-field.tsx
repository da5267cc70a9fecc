import { type FocusEvent, useState } from "react";
import { firstYear, formatCalendarDate, isCalendarDate, lastYear, unfinishedDate } from "@/lib/domain/calendar-date";
import { boxedInput, FieldFrame, type FieldProps } from "./field-frame";

interface DateFieldProps extends FieldProps {
  /** 'YYYY-MM-DD', or empty. */
  value: string;
  locale: string;
  /** Today in the lender's time zone, for `past`. */
  lendersDay: string;
  /** The remark shown for a day before today. */
  past?: string;
  onChange: (date: string) => void;
  /** Receives the date if leaving the field has changed it. */
  onBlur?: (date?: string) => void;
}

/** Today in the device's time zone. The Swedish style is that of the field: '2026-11-22'. */
const today = () => new Date().toLocaleDateString("sv");

/**
 * A native date input with the date in words below it. A remark follows if the date is today or in the past. iOS fills in
 * today's date as soon as the picker opens, so the applicant may not have meant it.
 */
export function DateField({ value, locale, lendersDay, past, onChange, onBlur, ...frame }: DateFieldProps) {
  const [pickedToday, setPickedToday] = useState(false);

  function pick(date: string) {
    setPickedToday(date === today());
    onChange(date);
  }

  /** Typing part of a date fires no change event, and neither does clearing that part, so blur reports both. */
  function leave({ target }: FocusEvent<HTMLInputElement>) {
    if (target.validity.badInput) onBlur?.(unfinishedDate);
    else onBlur?.(value === unfinishedDate ? target.value : undefined);
  }

  const words = isCalendarDate(value) ? formatCalendarDate(value, locale) : "";
  const isPast = past && value < lendersDay;
  const remark =
    pickedToday && value === today() ? "That's today. Change it if you meant another day." : isPast && past;
  const echo = words && remark ? `${words}. ${remark}` : words;
  return (
    <FieldFrame {...frame} echo={frame.error ? "" : echo}>
      {(controlProps) => (
        <input
          {...controlProps}
          type="date"
          // Only the browser's input knows a partially typed date. Its value is still empty.
          value={value === unfinishedDate ? "" : value}
          min={`${firstYear}-01-01`}
          max={`${lastYear}-12-31`}
          readOnly={frame.readOnly}
          onChange={(event) => pick(event.target.value)}
          onBlur={leave}
          className={`${boxedInput} basis-0 tabular-nums ${value ? "" : "empty-date"}`}
        />
      )}
    </FieldFrame>
  );
}
