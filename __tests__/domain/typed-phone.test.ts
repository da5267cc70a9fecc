import { countries, countryByCode, nationalLimit } from "@/lib/domain/phone";
import { exceedsTypingLimit, nationalPart, readTypedPhone, typablePhone } from "@/lib/domain/typed-phone";

describe("a phone number as people type it", () => {
  test.each([
    ["+1 604 555 0100", "CA", "CA", "16045550100"],
    ["+1 604 555 0100", "AU", "US", "16045550100"],
    // An Italian number keeps its leading 0.
    ["06 1234 5678", "IT", "IT", "390612345678"],
    // With a dial code that is not offered, the digits are stored as typed and the country stays.
    ["+64 21 123 4567", "AU", "AU", "64211234567"],
    // 0011 stands for the plus sign.
    ["0011 1 213 373 4253", "AU", "US", "12133734253"],
    // Digits of other scripts: full-width and Devanagari.
    ["＋４４ ７９１１ １２３４５６", "AU", "GB", "447911123456"],
    ["९८७६५ ४३२१०", "IN", "IN", "919876543210"],
    // No digits are cut off at the end, however long the number is.
    ["+49 1512 3456789", "AU", "DE", "4915123456789"],
    ["01512 3456789", "DE", "DE", "4915123456789"],
    ["1300 123 456", "AU", "AU", "611300123456"],
    ["0412 345 678 999", "AU", "AU", "61412345678999"],
    ["8 912 345-67-89-00", "RU", "RU", "78912345678900"],
    ["+64".padEnd(30, "2"), "AU", "AU", "64".padEnd(29, "2")],
    // A national number may begin with the digits of its own dial code.
    ["0491 12345678", "DE", "DE", "4949112345678"],
    // A leading 1 in the US is always the long-distance prefix. A leading 8 in Russia is one only before a complete number.
    ["1213 373 425", "US", "US", "1213373425"],
    ["98 912 345 67 89", "RU", "RU", "7989123456789"],
    ["61 1234", "AU", "AU", "61611234"],
    ["0412 345+678", "AU", "AU", "61412345678"],
    ["𝟘𝟜𝟙𝟚 𝟛𝟜𝟝 𝟞𝟟𝟠", "AU", "AU", "61412345678"],
    ["61 412 345 678", null, "AU", "61412345678"],
    ["+44", "AU", "GB", ""],
    ["0", "AU", "AU", ""],
    ["", "AU", "AU", ""],
  ])(
    "written as '%s' in a field for %s is stored with its dial code, as digits only",
    (text, current, country, digits) => {
      expect(readTypedPhone(text, current)).toEqual({ country, digits });
    },
  );

  test.each([
    ["61412345678", "AU", "412345678"],
    ["447911123456", "AU", "447911123456"],
    ["4161", "AU", "4161"],
    ["61412345678", "", "61412345678"],
  ])("stored as %s is shown in a field for %s as %s", (digits, code, national) => {
    expect(nationalPart(digits, code ? countryByCode(code) : null)).toBe(national);
  });

  test.each([
    ["tel: 0412-345-678", "0412-345-678"],
    ["(+61) 412 345 678", "(+61) 412 345 678"],
    ["０４１２ ٣٤٥ ۶۷۸", "０４１２ ٣٤٥ ۶۷۸"],
    ["1".repeat(30), "1".repeat(30)],
  ])("written as '%s' is shown as '%s', without what is not part of a number", (text, kept) => {
    expect(typablePhone(text)).toBe(kept);
  });

  // phone.test.ts has the number of digits of each country.
  test.each(countries)("of $name is limited to the country's number of digits", ({ code, dialCode }) => {
    const typed = (length: number) => readTypedPhone("9".repeat(length), code);
    const most = nationalLimit(dialCode);
    expect(exceedsTypingLimit(typed(most))).toBe(false);
    expect(exceedsTypingLimit(typed(most + 1))).toBe(true);
  });

  // In AU, GB and ES no national number begins like the dial code, so a typed dial code without its plus is dropped there.
  const beginsLikeDialCode = countries.filter(({ code }) => !["AU", "GB", "ES"].includes(code));
  test.each(beginsLikeDialCode)(
    "of $name is limited while typing, even if it begins like the dial code",
    ({ code, dialCode }) => {
      // Under +1, a leading 1 is what people dial at home and not part of the national number.
      const longest = (dialCode === "1" ? "2" : dialCode).padEnd(nationalLimit(dialCode), "9");
      const whole = readTypedPhone(longest, code, true);
      const tooLong = readTypedPhone(`${longest}8`, code, true);
      expect(whole).toEqual({ country: code, digits: dialCode + longest });
      expect(exceedsTypingLimit(whole)).toBe(false);
      expect(tooLong).toEqual({ country: code, digits: `${dialCode}${longest}8` });
      expect(exceedsTypingLimit(tooLong)).toBe(true);
    },
  );

  test.each(["US", "AU", "GB", "DE", "FR", "JP", "KR", "RU"])(
    "of %s is limited to as many digits after a domestic prefix",
    (code) => {
      const home = { US: "1", RU: "8" }[code] ?? "0";
      const { dialCode } = countryByCode(code);
      const national = "9".repeat(nationalLimit(dialCode));
      expect(exceedsTypingLimit(readTypedPhone(home + national, code))).toBe(false);
      expect(exceedsTypingLimit(readTypedPhone(`${home}${national}9`, code))).toBe(true);
      expect(exceedsTypingLimit(readTypedPhone(`+${dialCode}${national}`, "AU"))).toBe(false);
    },
  );

  test.each([null, "AU"])(
    "of another dial code is limited to fifteen digits in all, where %s is selected",
    (selected) => {
      const typed = (length: number) => readTypedPhone(`+64${"2".repeat(length - 2)}`, selected);
      expect(exceedsTypingLimit(typed(15))).toBe(false);
      expect(exceedsTypingLimit(typed(16))).toBe(true);
    },
  );
});
