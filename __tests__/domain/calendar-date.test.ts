import fc from "fast-check";
import { formatCalendarDate, isCalendarDate, isExistingDate } from "@/lib/domain/calendar-date";

describe("A calendar date is a day that exists, written YYYY-MM-DD", () => {
  test.each(["2026-03-01", "2024-02-29", "2000-02-29", "2026-12-31", "1900-01-01", "2199-12-31"])(
    "%s is accepted",
    (text) => {
      expect(isCalendarDate(text)).toBe(true);
    },
  );

  test.each([
    ...["2026-02-30", "2026-02-29", "1900-02-29", "2100-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00"],
    ...[
      "2026-01-32",
      "2026-01-99",
      "0202-01-01",
      "20226-01-01",
      "02026-01-01",
      "2026-1-1",
      "01/03/2026",
      "2026-03-01T00:00:00Z",
    ],
    ...[" 2026-03-01", "2026-03-01\n", "２０２６-03-01", "yesterday", ""],
  ])("%j is rejected", (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });
});

test.each([
  ["1899-12-31", true],
  ["2200-01-01", true],
  ["0202-03-01", true],
  ["0026-12-31", true],
  ["202612-01-01", true],
  ["0202-02-30", false],
  ["2026-02-30", false],
  ["unfinished", false],
])("%s is a real day outside the accepted years: %s", (text, real) => {
  expect(isExistingDate(text)).toBe(real);
  expect(isCalendarDate(text)).toBe(false);
});

test("dates compare as strings, in the order of the calendar", () => {
  const days = fc.date({ min: new Date("1900-01-01"), max: new Date("2199-12-31"), noInvalidDate: true });
  const written = (date: Date) => date.toISOString().slice(0, 10);
  fc.assert(
    fc.property(days, days, (first, second) => {
      const [a, b] = [written(first), written(second)];
      expect(isCalendarDate(a)).toBe(true);
      expect(a < b).toBe(Date.parse(a) < Date.parse(b));
    }),
  );
});

test.each([
  ["2026-03-01", "en-US", "March 1, 2026"],
  ["2026-12-31", "en-US", "December 31, 2026"],
  ["2026-12-31", "en-AU", "31 December 2026"],
])("%s is written in %s as %s", (day, locale, text) => {
  expect(formatCalendarDate(day, locale)).toBe(text);
});
