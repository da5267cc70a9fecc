import fc from "fast-check";
import { formatCalendarDate, isCalendarDate } from "@/lib/domain/calendar-date";

test.each(["2026-03-01", "2024-02-29", "2000-02-29", "1900-01-01", "2199-12-31"])("%s is a day", (text) => {
  expect(isCalendarDate(text)).toBe(true);
});

test.each([
  "",
  "2026-02-30",
  "2026-02-29",
  "1900-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-01-00",
  "2026-04-31",
  "0202-01-01",
  "1899-12-31",
  "2200-01-01",
  "2026-3-1",
  "01/03/2026",
  "2026-03-01T00:00:00Z",
  "2026-03-01\n",
  "２０２６-03-01",
])("%j is none", (text) => {
  expect(isCalendarDate(text)).toBe(false);
});

test("every day of three hundred years is one, and reads as itself wherever it is read", () => {
  const days = fc.date({ min: new Date("1900-01-01"), max: new Date("2199-12-31"), noInvalidDate: true });
  fc.assert(fc.property(days, (day) => isCalendarDate(day.toISOString().slice(0, 10))));
});

test("dates are read as long English dates", () => {
  expect(formatCalendarDate("2026-03-01", "en-US")).toBe("March 1, 2026");
  expect(formatCalendarDate("2027-02-28", "en-AU")).toBe("28 February 2027");
});
