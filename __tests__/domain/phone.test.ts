import fc from "fast-check";
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

test("the fifteen countries stand in the specification's order, Australia chosen", () => {
  expect(countries.map(({ dialCode, code }) => `+${dialCode} ${code}`)).toEqual([
    "+1 US",
    "+1 CA",
    "+61 AU",
    "+44 GB",
    "+49 DE",
    "+33 FR",
    "+39 IT",
    "+34 ES",
    "+81 JP",
    "+86 CN",
    "+91 IN",
    "+55 BR",
    "+52 MX",
    "+7 RU",
    "+82 KR",
  ]);
  expect(countryByCode(defaultCountry)).toMatchObject({ code: "AU", dialCode: "61" });
});

/** Section 5's table of total lengths, and the length that typing can reach where the table leaves it out. */
const lengths: [dialCode: string, accepted: number[]][] = [
  ["1", [11]],
  ["61", [11]],
  ["44", [12, 13]],
  ["91", [12]],
  ["49", [12, 13]],
  ["33", [11]],
  ["39", [12]],
  ["34", [11]],
  ["81", [12]],
  ["86", [13, 14]],
  ["55", [12, 13]],
  ["52", [12]],
  ["7", [11]],
  ["82", [12]],
];

test.each(lengths)("a number behind +%s has one of the lengths %j, and no other", (dialCode, accepted) => {
  const fits = Array.from({ length: 20 }, (_, length) => length).filter(
    (length) => length > dialCode.length && isPossiblePhone(dialCode.padEnd(length, "2")),
  );
  expect(fits).toEqual(accepted);
});

test("a number of any other dial code has 10 to 15 digits", () => {
  const fits = Array.from({ length: 20 }, (_, length) => length).filter((length) =>
    isPossiblePhone("64".padEnd(length, "2")),
  );
  expect(fits).toEqual([10, 11, 12, 13, 14, 15]);
});

test.each([
  ["1", 10],
  ["91", 10],
  ["49", 10],
  ["39", 10],
  ["81", 10],
  ["52", 10],
  ["7", 10],
  ["82", 10],
  ["61", 9],
  ["33", 9],
  ["34", 9],
  ["44", 11],
  ["86", 11],
  ["55", 11],
])("behind +%s at most %d digits can be typed", (dialCode, most) => {
  expect(nationalLimit(dialCode)).toBe(most);
});

test.each(countries)("the longest number that can be typed behind +$dialCode ($code) is accepted", ({ dialCode }) => {
  expect(isPossiblePhone(dialCode + "2".repeat(nationalLimit(dialCode)))).toBe(true);
});

test.each(["", "6", "61", "1", "44", "123", "86", "7", "82"])("'%s' counts as empty", (digits) => {
  expect(isEmptyPhone(digits)).toBe(true);
});

test.each(["1234", "614", "61412345678"].filter((digits) => digits.length > 3))("%s is not empty", (digits) => {
  expect(isEmptyPhone(digits)).toBe(false);
});

test.each([
  ["4155552671", "(415) 555-2671"],
  ["14155552671", "+1 (415) 555-2671"],
  ["61412345678", "+61412345678"],
  ["447700900123", "+447700900123"],
  ["", ""],
])("%s reads '%s'", (digits, text) => {
  expect(formatPhone(digits)).toBe(text);
});

test("+1 is shared: what the person picked stays picked", () => {
  expect(countryOf("14155552671", "CA")?.code).toBe("CA");
  expect(countryOf("14155552671", "US")?.code).toBe("US");
  expect(countryOf("14155552671")?.code).toBe("US");
});

test("a number of none of the countries has none", () => {
  expect(countryOf("6421234567")).toBeNull();
  expect(countryOf("")).toBeNull();
});

test("nothing but digits is ever possible", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\d{10,15}$/.test(text));
      expect(isPossiblePhone(text)).toBe(false);
    }),
  );
});

test("a country that is not offered is refused", () => {
  expect(() => countryByCode("NZ")).toThrow(RangeError);
});
