import { dayAndMonth, dayIn, formatToMinute, formatToSecond, startOfDay, timeInWords } from "@/lib/domain/zone-time";

const sydney = { locale: "en-AU", timeZone: "Australia/Sydney" };
const evening = new Date("2026-11-22T13:30:05.999Z");

test("a time is written in the lender's time zone, with its name", () => {
  expect(dayIn(evening, sydney)).toBe("2026-11-23");
  expect(formatToMinute(evening, sydney)).toBe("2026-11-23 00:30 AEDT");
  expect(formatToSecond(evening, sydney)).toBe("2026-11-23 00:30:05 AEDT");
});

test("the same hour on either side of the end of summer time has two names", () => {
  expect(formatToMinute(new Date("2026-04-04T15:30:00Z"), sydney)).toBe("2026-04-05 02:30 AEDT");
  expect(formatToMinute(new Date("2026-04-04T16:30:00Z"), sydney)).toBe("2026-04-05 02:30 AEST");
});

test.each([
  ["en-US", "Australia/Sydney", "2026-11-23 00:30 AEDT"],
  ["en-AU", "Europe/London", "2026-11-22 13:30 GMT"],
  ["en-US", "Asia/Ho_Chi_Minh", "2026-11-22 20:30 Ho Chi Minh time"],
  ["en-US", "Etc/GMT+5", "2026-11-22 08:30 GMT-5"],
  ["en-US", "America/New_York", "2026-11-22 08:30 EST"],
  ["en-AU", "UTC", "2026-11-22 13:30 UTC"],
  ["ar-EG", "Africa/Cairo", "2026-11-22 15:30 EET"],
])("in %s the zone %s has a name in Latin letters", (locale, timeZone, written) => {
  expect(formatToMinute(evening, { locale, timeZone })).toBe(written);
});

test.each([
  ["en-US", "November 23, 2026 at 12:30 AM AEDT"],
  ["en-AU", "23 November 2026 at 12:30 am AEDT"],
])("a time in words has the order of %s: %s", (locale, written) => {
  expect(timeInWords(evening, { ...sydney, locale })).toBe(written);
});

describe("On 22 November 2026", () => {
  beforeAll(() => void jest.useFakeTimers({ now: evening }));
  afterAll(() => void jest.useRealTimers());

  test.each([
    ["2026-11-21T13:30:05Z", "22 November"],
    ["2027-08-31T00:00:00Z", "31 August"],
    // Without the year, it would read as today.
    ["2027-11-22T13:30:05Z", "23 November 2027"],
  ])("the day of %s is written as %s", (at, written) => {
    expect(dayAndMonth(new Date(at), sydney)).toBe(written);
  });
});

test.each([
  ["2026-11-22", "UTC", "2026-11-22T00:00:00.000Z"],
  ["2026-11-22", "Australia/Sydney", "2026-11-21T13:00:00.000Z"],
  // The first and the last day of summer time.
  ["2026-10-04", "Australia/Sydney", "2026-10-03T14:00:00.000Z"],
  ["2026-04-05", "Australia/Sydney", "2026-04-04T13:00:00.000Z"],
  ["2026-11-22", "America/Los_Angeles", "2026-11-22T08:00:00.000Z"],
  ["2026-11-22", "Asia/Kathmandu", "2026-11-21T18:15:00.000Z"],
  ["2026-11-22", "Pacific/Kiritimati", "2026-11-21T10:00:00.000Z"],
  // The day has no midnight: the clock goes from 23:59 to 1:00.
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
])("%s begins in %s at %s", (day, timeZone, begins) => {
  expect(startOfDay(day, { timeZone }).toISOString()).toBe(begins);
});
