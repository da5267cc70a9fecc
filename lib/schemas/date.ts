import { isCalendarDate } from "@/lib/domain/calendar-date";
import { minLength, refine, string, trim } from "./zod";

/** A calendar date as YYYY-MM-DD. */
export const date = (name: string) =>
  string(
    `${name} is required`,
    trim(),
    minLength(1, `${name} is required`),
    refine((text) => text === "" || isCalendarDate(text), `${name} must be a real date`),
  );
