import { isOpen, nextOpening } from "@/lib/domain/business-hours";

test.each([
  ["2026-11-20T09:00+11:00", "Australia/Sydney", true],
  ["2026-11-20T08:59:59+11:00", "Australia/Sydney", false],
  ["2026-11-20T16:59:59+11:00", "Australia/Sydney", true],
  ["2026-11-20T17:00+11:00", "Australia/Sydney", false],
  ["2026-11-21T12:00+11:00", "Australia/Sydney", false],
  ["2026-11-22T12:00+11:00", "Australia/Sydney", false],
  ["2026-11-20T09:00+11:00", "Australia/Perth", false],
  ["2026-11-20T00:00+11:00", "Australia/Sydney", false],
])("an office at %s in %s is open: %s", (at, zone, open) => {
  expect(isOpen(new Date(at), zone)).toBe(open);
});

test.each([
  ["a working day's evening", "2026-11-19T20:10+11:00", "Australia/Sydney", "2026-11-20T09:00+11:00"],
  ["a working day's early morning", "2026-11-20T03:00+11:00", "Australia/Sydney", "2026-11-20T09:00+11:00"],
  ["a working day's office hours", "2026-11-19T12:00+11:00", "Australia/Sydney", "2026-11-20T09:00+11:00"],
  ["the opening itself", "2026-11-19T09:00+11:00", "Australia/Sydney", "2026-11-20T09:00+11:00"],
  ["a Friday afternoon", "2026-11-20T16:00+11:00", "Australia/Sydney", "2026-11-23T09:00+11:00"],
  ["a weekend in which clocks go forward", "2026-10-03T12:00+10:00", "Australia/Sydney", "2026-10-05T09:00+11:00"],
  ["a zone with quarter hours", "2026-11-19T20:00+08:45", "Australia/Eucla", "2026-11-20T09:00+08:45"],
])("the next opening after %s is found", (_, at, zone, opening) => {
  expect(nextOpening(new Date(at), zone)).toEqual(new Date(opening));
});

// The worker looks for an opening within its transaction, for each reminder that is due at night or at a weekend.
test("the next opening needs at most one formatter, whose creation is slow", () => {
  const created = jest.spyOn(Intl, "DateTimeFormat");
  nextOpening(new Date("2026-11-20T18:00+10:30"), "Australia/Adelaide");
  expect(created.mock.calls.length).toBeLessThanOrEqual(1);
});
