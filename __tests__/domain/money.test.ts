import fc from "fast-check";
import { hostileAmounts } from "@/__tests__/support/hostile-amounts";
import {
  centsOf,
  currencyName,
  formatCents,
  isAmount,
  isUnreadable,
  pastedAmount,
  plainAmount,
  tidyAmount,
  typedAmount,
  writeCents,
} from "@/lib/domain/money";

describe("An amount is dollars and at most two decimals", () => {
  test.each([
    ["0", 0],
    ["1", 1_00],
    ["2450", 2450_00],
    ["2450.5", 2450_50],
    ["2450.50", 2450_50],
    ["0.01", 1],
    ["1.10", 1_10],
    ["007", 7_00],
    ["999999999999.99", 999_999_999_999_99],
  ])("'%s' is %d cents", (text, cents) => {
    expect(isAmount(text)).toBe(true);
    expect(centsOf(text)).toBe(cents);
  });

  test.each(hostileAmounts)("%j is not an amount", (text) => {
    expect(isAmount(text)).toBe(false);
  });

  test.each([
    ["", 0],
    [" ", 0],
    [".", 0],
    ["abc", 0],
    ["450.", 450_00],
    [" 450 ", 450_00],
  ])("%j in a field counts as %d cents", (text, cents) => {
    expect(centsOf(text)).toBe(cents);
  });

  const tooLong = "1".repeat(13);

  test.each([tooLong, `${tooLong}.`, `${tooLong}.5`, `${tooLong}.55`, "1".repeat(400)])(
    "%s, too long for an amount, still counts as above every limit",
    (text) => {
      expect(centsOf(text)).toBe(999_999_999_999_99);
    },
  );

  test.each([`-${tooLong}`, `${tooLong}x`, `${tooLong}.555`])("%s counts as 0", (text) => {
    expect(centsOf(text)).toBe(0);
  });

  test("cents are the same after they are written and read", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_99 }), (cents) => {
        expect(centsOf(writeCents(cents))).toBe(cents);
        expect(isAmount(writeCents(cents))).toBe(true);
      }),
    );
  });

  test.each([
    [2450_00, "2450"],
    [2450_50, "2450.50"],
    [2450_05, "2450.05"],
    [0, "0"],
  ])("%d cents are written '%s'", (cents, text) => {
    expect(writeCents(cents)).toBe(text);
  });
});

/** The digits 1 to 9 and 0 of every script that has its own decimal digits. */
const otherDigits = Intl.supportedValuesOf("numberingSystem")
  .map((system) => new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(1234567890))
  .filter((digits) => /^(?!\d)\p{Nd}{10}$/u.test(digits));

describe("A currency field accepts digits, points and commas", () => {
  test.each([
    ["4", "4"],
    ["450.", "450."],
    ["450.5", "450.5"],
    [".5", ".5"],
    ["", ""],
    ["$2,450.00", "2,450.00"],
    ["1,000", "1,000"],
    ["450,50", "450,50"],
    ["12 500", "12500"],
    [" 450 ", "450"],
  ])("%j becomes '%s'", (text, kept) => {
    expect(typedAmount(text, "12")).toBe(kept);
  });

  test.each(["1.234", "1.2.3", "1,2,3", "2.450,00", "1,2345", "1".repeat(13), "1٬2٬3", ...otherDigits])(
    "%j stays, so that no digit is lost",
    (text) => {
      expect(typedAmount(text, text.slice(0, -1))).toBe(text);
    },
  );

  test.each(["1e3", "-1", "abc", "Infinity", "0x10", "1'", "½"])("a letter or sign of %j is not taken", (text) => {
    expect(typedAmount(text, "12")).toBe("12");
  });

  test.each([
    ["1,23,567", "1,234,567"],
    ["1e", "1e3"],
  ])("a deletion is accepted, even if it leaves no amount: '%s' of '%s'", (text, held) => {
    expect(typedAmount(text, held)).toBe(text);
  });
});

describe("A pasted amount", () => {
  const of650 = [
    ...["650", "$650", "$650 pw", "$650 PW", "AUD 650", "USD 650", "A$650", "AU$650", "US$ 650", "650 AUD"],
    ...["650 usd", "650 dollars", "650/week", "650 / wk", "650/w", "650 p/w", "650 p.w.", "650 p.w"],
    ...["$650.00 per week", "650 per wk", "650 weekly", "650.", "0650", `$650${" ".repeat(36)}`],
  ];

  test.each([
    ...of650.map((text): [string, string] => [text, "650"]),
    ["$650.50 a week", "650.50"],
    ["AUD 1,234.56 per week", "1234.56"],
    [" 1,250\n", "1250"],
    ["12 500", "12500"],
    ["450,5", "450.50"],
    [".5", "0.50"],
    ["$٦٥٠ pw", "650"],
    ["١٬٢٥٠٫٥٠", "1250.50"],
    ["۱٬۲۵۰", "1250"],
    ["１，２５０．５", "1250.50"],
    ["६५०,५", "650.50"],
  ])("%j is %s", (text, amount) => {
    expect(pastedAmount(text)).toBe(amount);
  });

  test.each([
    ...hostileAmounts.filter((text) => !/^[\p{Nd}$,. ]+$|^AUD \d+$/u.test(text)),
    ...["", "$", "pw", "1.234", "1,2,3", "1.000,00", "650 per month", "$1,300 fortnightly", "650 pcm", "650-700"],
    ...["EUR 650", "6٬50", "٦٥٠٫٥٫٥", "x650", "650x", "650 650/week/week", `$650${" ".repeat(37)}`],
  ])("%j cannot be read", (text) => {
    expect(pastedAmount(text)).toBeNull();
  });
});

describe("An amount, tidied when the field is left,", () => {
  test.each([
    ["0450.", "450"],
    [".5", "0.50"],
    ["1,250", "1250"],
    ["", ""],
    ["1e3", "1e3"],
    ["1.234", "1.234"],
    [".", ""],
  ])("turns %j into %j", (text, tidy) => {
    expect(tidyAmount(text)).toBe(tidy);
  });
});

test.each([
  ["", false],
  [" ", false],
  ["$", false],
  [".", false],
  ["450.", false],
  [".5", false],
  ["450,5", false],
  ["30,000", false],
  ["$ 450", false],
  ["30,000 please", true],
  [",500", true],
  ["1,000,50", true],
  ["1e3", true],
  ["-5", true],
])("%j is unreadable as an amount: %s", (text, unreadable) => {
  expect(isUnreadable(text)).toBe(unreadable);
});

describe("An amount as people write it", () => {
  test.each([
    ["$2,450.00", "2450.00"],
    ["1,000", "1000"],
    ["1,000,000", "1000000"],
    ["12 500", "12500"],
    ["450,50", "450.50"],
    ["450,5", "450.5"],
    ["2450,00", "2450.00"],
    ["1,00", "1.00"],
    ["450,", "450."],
    [",50", ".50"],
  ])("%j is %s", (text, amount) => {
    expect(plainAmount(text)).toBe(amount);
  });

  test.each([...hostileAmounts.filter((text) => !/^[\p{Nd}$,. ']+$/u.test(text))])("%j is not an amount", (text) => {
    expect(isAmount(plainAmount(text))).toBe(false);
  });

  test.each(otherDigits)("%s is read in every amount", (digits) => {
    expect(plainAmount(digits)).toBe("1234567890");
  });

  test.each(["2450,500", "1,000,50", "1.000,00", "1,2,3", ",000"])(
    "%j is not an amount, and stays as it is",
    (text) => {
      expect(plainAmount(text)).toBe(text);
      expect(isAmount(text)).toBe(false);
    },
  );
});

describe("A displayed amount", () => {
  const usDollars = { locale: "en-US", currency: "USD" };

  test.each([
    [2450_00, "$2,450"],
    [50_000_00, "$50,000"],
    [33_650_00, "$33,650"],
    [0, "$0"],
  ])("shows whole dollars without decimals: %d cents are %s", (cents, text) => {
    expect(formatCents(cents, usDollars)).toBe(text);
  });

  test("shows the cents where they matter", () => {
    expect(formatCents(2450_50, usDollars, true)).toBe("$2,450.50");
  });

  test("uses the lender's locale and currency", () => {
    expect(formatCents(2450_00, { locale: "en-AU", currency: "AUD" })).toBe("$2,450");
    expect(formatCents(2450_00, { locale: "de-DE", currency: "EUR" }).replace(/\s/, " ")).toBe("2.450 €");
  });
});

test.each([
  ["en-US", "USD", "dollars"],
  ["en-AU", "USD", "dollars"],
  ["en-AU", "NZD", "dollars"],
  ["en-GB", "GBP", "pounds"],
  ["de-DE", "EUR", "Euro"],
])("in %s, amounts of %s are counted in %s", (locale, currency, name) => {
  expect(currencyName({ locale, currency })).toBe(name);
});
