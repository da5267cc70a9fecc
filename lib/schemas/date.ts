import { firstYear, isCalendarDate, isRealDay, lastYear, unfinishedDate } from "@/lib/domain/calendar-date";
import { minLength, refine, string, trim } from "./zod";

/** A calendar date as YYYY-MM-DD. */
export const date = (name: string) =>
  string(
    `${name} is required`,
    trim(),
    minLength(1, `${name} is required`),
    refine((text) => text !== unfinishedDate, {
      error: `${name} is not complete: enter its day, month and year`,
      abort: true,
    }),
    refine((text) => text === "" || isRealDay(text), { error: `${name} must be a real date`, abort: true }),
    refine(
      (text) => text === "" || isCalendarDate(text),
      `${name} must have a year from ${firstYear} to ${lastYear}: check what you typed`,
    ),
  );
