import {
  countries,
  countryByCode,
  countryOf,
  defaultCountry,
  formatPhone,
  isEmptyPhone,
  isPossiblePhone,
  nationalLimit,
} from "@/lib/domain/phone";

/** A number of `length` digits that begins with the dial code. */
const numberOf = (dialCode: string, length: number) => dialCode.padEnd(length, "4");

describe("The countries offered", () => {
  test("are the fifteen of the specification", () => {
    expect(countries.map(({ dialCode, code }) => `+${dialCode} ${code}`).join()).toBe(
      "+1 US,+1 CA,+61 AU,+44 GB,+49 DE,+33 FR,+39 IT,+34 ES,+81 JP,+86 CN,+91 IN,+55 BR,+52 MX,+7 RU,+82 KR",
    );
  });

  test("include Australia as the default", () => {
    expect(countryByCode(defaultCountry)).toMatchObject({ name: "Australia", dialCode: "61" });
  });

  test("exclude all others", () => {
    expect(() => countryByCode("NZ")).toThrow(new RangeError("Not one of the countries offered"));
  });
});

test("no dial code begins with another, and each dial code alone counts as empty", () => {
  const dialCodes = [...new Set(countries.map(({ dialCode }) => dialCode))];
  for (const dialCode of dialCodes) {
    expect(dialCodes.filter((other) => other.startsWith(dialCode))).toEqual([dialCode]);
    expect(isEmptyPhone(dialCode)).toBe(true);
  }
});

describe("The length of a whole number", () => {
  /** The lengths of the specification, section 5. A second one is what typing can reach (docs/decisions/phone-lengths.md). */
  const accepted: [dialCode: string, lengths: number[]][] = [
    ["1", [11]],
    ["61", [11]],
    ["44", [12, 13]],
    ["91", [12]],
    ["49", [13, 12]],
    ["33", [11]],
    ["39", [12]],
    ["34", [11]],
    ["81", [12]],
    ["86", [14, 13]],
    ["55", [12, 13]],
    ["52", [12]],
    ["7", [11]],
    ["82", [12]],
  ];
  const everyLength = Array.from({ length: 17 }, (_, index) => index + 4);
  const rows = accepted.flatMap(([dialCode, lengths]) =>
    everyLength.map((length) => [dialCode, length, lengths.includes(length)] as const),
  );

  test.each(rows)("+%s with %d digits in all is possible: %s", (dialCode, length, possible) => {
    expect(isPossiblePhone(numberOf(dialCode, length))).toBe(possible);
  });

  test("the table has a row for every offered dial code", () => {
    expect(new Set(accepted.map(([dialCode]) => dialCode))).toEqual(new Set(countries.map(({ dialCode }) => dialCode)));
  });

  test.each([
    [9, false],
    [10, true],
    [12, true],
    [15, true],
    [16, false],
  ])("a number of another dial code with %d digits is possible: %s", (length, possible) => {
    expect(isPossiblePhone(numberOf("64", length))).toBe(possible);
  });

  test.each(["+61412345678", "61 412 345 678", "６１412345678", "61412345x78", ""])("%j is not digits only", (text) => {
    expect(isPossiblePhone(text)).toBe(false);
  });
});

describe("The longest national number that can be typed", () => {
  test.each([
    ...["1", "91", "49", "39", "81", "52", "7", "82"].map((dialCode) => [dialCode, 10] as const),
    ...["61", "33", "34"].map((dialCode) => [dialCode, 9] as const),
    ...["44", "86", "55"].map((dialCode) => [dialCode, 11] as const),
    ["64", 13] as const,
  ])("after +%s has %d digits", (dialCode, limit) => {
    expect(nationalLimit(dialCode)).toBe(limit);
  });

  test.each(countries)("after +$dialCode makes a number that the form accepts ($name)", ({ dialCode }) => {
    expect(isPossiblePhone(numberOf(dialCode, dialCode.length + nationalLimit(dialCode)))).toBe(true);
  });
});

describe("An empty phone number", () => {
  test.each([...countries.map(({ dialCode }) => dialCode), "", "6", "614", "999", "+61"])(
    "'%s' counts as empty",
    (text) => {
      expect(isEmptyPhone(text)).toBe(true);
    },
  );

  test.each(["6141", "61412345678", "0000"])("'%s' does not", (text) => {
    expect(isEmptyPhone(text)).toBe(false);
  });
});

describe("The country of a number", () => {
  test.each([
    ["61412345678", "AU"],
    ["447911123456", "GB"],
    ["79161234567", "RU"],
    ["12025550123", "US"],
    ["64211234567", null],
    ["0412345678", null],
    ["", null],
  ])("'%s' is %s", (digits, code) => {
    expect(countryOf(digits)?.code ?? null).toBe(code);
  });

  test.each([
    ["16135550123", "CA"],
    ["61412345678", "AU"],
  ])("'%s' is %s if the user picked Canada", (digits, code) => {
    expect(countryOf(digits, "CA")?.code).toBe(code);
  });
});

test.each([
  ["4155550123", "(415) 555-0123"],
  ["14155550123", "+1 (415) 555-0123"],
  ["61412345678", "+61412345678"],
  ["447911123456", "+447911123456"],
  ["914155550123", "+914155550123"],
  ["141555501234", "+141555501234"],
  ["", ""],
])("'%s' is shown as '%s'", (digits, text) => {
  expect(formatPhone(digits)).toBe(text);
});
