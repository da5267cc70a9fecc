import fc from "fast-check";
import { hostileAmounts } from "@/__tests__/support/hostile-amounts";
import { centsOf, formatCents, isAmount, typedAmount, writeCents } from "@/lib/domain/money";

const dollars = { locale: "en-US", currency: "USD" };

test.each(["0", "450", "450.5", "450.50", "0.01", "007", "999999999999.99"])("%s is an amount", (text) => {
  expect(isAmount(text)).toBe(true);
});

test.each(hostileAmounts)("%j is not an amount", (text) => {
  expect(isAmount(text)).toBe(false);
});

test.each([
  ["", 0],
  [" ", 0],
  ["12.", 1200],
  ["12.5", 1250],
  ["12.05", 1205],
  [" 12 ", 1200],
  ["0.1", 10],
  ["4.35", 435],
  ["1.15", 115],
  ["1e3", 0],
  ["-1", 0],
  ["999999999999.99", 99_999_999_999_999],
  ["1000000000000", 99_999_999_999_999],
])("%j counts as %d cents", (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});

test("every number of cents is written and read back exactly", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999_999 }), (cents) => {
      expect(centsOf(writeCents(cents))).toBe(cents);
      expect(isAmount(writeCents(cents))).toBe(true);
    }),
  );
});

test("whole dollars are written without decimals, cents with two", () => {
  expect([245_000, 245_050, 5, 0].map(writeCents)).toEqual(["2450", "2450.50", "0.05", "0"]);
});

test.each([
  [3_365_000, "$33,650"],
  [5_000_000, "$50,000"],
  [0, "$0"],
])("on the review %d cents read %s", (cents, text) => {
  expect(formatCents(cents, dollars)).toBe(text);
});

test("an exact amount shows its cents, and another lender's currency its own sign", () => {
  expect(formatCents(245_000, dollars, true)).toBe("$2,450.00");
  expect(formatCents(245_000, { locale: "en-AU", currency: "AUD" })).toBe("$2,450");
});

test.each([
  ["450", "450"],
  ["450.", "450."],
  ["450.55", "450.55"],
  [".5", ".5"],
  ["", ""],
  ["$2,450.00", "2450.00"],
  [" 2 450 ", "2450"],
  ["1,000,000", "1000000"],
])("typing or pasting %j leaves %j in the field", (text, left) => {
  expect(typedAmount(text, "7")).toBe(left);
});

test.each(["1e3", "-1", "1.234", "Infinity", "1.2.3", "1,00", "１００", "abc", "12a", "1234567890123"])(
  "%j cannot become an amount, so the field keeps what it held",
  (text) => {
    expect(typedAmount(text, "7.50")).toBe("7.50");
  },
);
