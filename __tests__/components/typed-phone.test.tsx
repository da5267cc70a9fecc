import { readTypedPhone, typablePhone } from "@/lib/domain/typed-phone";

describe("a phone number as people type it", () => {
  test.each([
    ["0412 345 678", "AU", "AU", "61412345678"],
    ["+61 (0)412 345 678", "AU", "AU", "61412345678"],
    ["0061 412 345 678", "AU", "AU", "61412345678"],
    ["61412345678", "AU", "AU", "61412345678"],
    ["+44 7911 123456", "AU", "GB", "447911123456"],
    ["07911 123456", "GB", "GB", "447911123456"],
    ["1 213 373 4253", "US", "US", "12133734253"],
    ["+1 604 555 0100", "CA", "CA", "16045550100"],
    ["+1 604 555 0100", "AU", "US", "16045550100"],
    ["8 912 345-67-89", "RU", "RU", "79123456789"],
    // An Italian number keeps its leading 0.
    ["06 1234 5678", "IT", "IT", "390612345678"],
    // A dial code that is not offered: the digits are stored as typed, and the country stays.
    ["+64 21 123 4567", "AU", "AU", "64211234567"],
    ["+44", "AU", "GB", ""],
    ["0", "AU", "AU", ""],
    ["", "AU", "AU", ""],
  ])("'%s' in the field of %s is stored with its dial code, as digits only", (text, current, country, digits) => {
    expect(readTypedPhone(text, current)).toEqual({ country, digits });
  });

  test.each([
    ["0412 345 678 999", "AU", "0412 345 678 "],
    ["1".repeat(30), "AU", "1".repeat(9)],
    ["+64".padEnd(30, "2"), "AU", "+64".padEnd(16, "2")],
    ["tel: 0412-345-678", "AU", "0412-345-678"],
  ])("'%s' holds no more than a number of %s can", (text, current, kept) => {
    expect(typablePhone(text, current)).toBe(kept);
  });
});
