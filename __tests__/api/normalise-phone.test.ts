import { normalisePhone } from "@/lib/domain/normalise-phone";
import { isPossiblePhone } from "@/lib/domain/phone";

test.each([
  ...["61412345678", "0412 345 678", "0412345678", "+61 412 345 678", "+61 (0)412-345-678", "+61 0412 345 678"],
  ...["0061412345678", "0011 61 412 345 678", "61 412 345 678", "412345678", "412345678.0", "412345678.00"],
  ...[" 0412345678.0 ", "＋６１ ４１２ ３４５ ６７８", "٠٤١٢ ٣٤٥ ٦٧٨", "٦١٤١٢٣٤٥٦٧٨"],
  // With a non-breaking hyphen, an en dash, a minus sign and the marks that surround a copied contact.
  ...["0412\u2011345\u2011678", "0412–345–678", "0412−345−678", "\u202a+61 412 345 678\u202c"],
])("%s is normalised to 61412345678", (text) => {
  expect(normalisePhone(text)).toBe("61412345678");
});

test.each([
  ["+1 202 555 0123", "12025550123"],
  ["12025550123", "12025550123"],
  ["+49 1512 345678", "491512345678"],
  ["(02) 9876 5432", "61298765432"],
  ["412 045 678", "61412045678"],
  // The 0 belongs to an Italian number.
  ["+39 06 1234 5678", "390612345678"],
  // With the 0 of calls within the country, the number would still have a possible length.
  ["+44 07911 123456", "447911123456"],
  ["+49 01512 345678", "491512345678"],
  ["61 0412 345 678", "61412345678"],
])("%s is normalised to %s", (text, digits) => {
  expect(normalisePhone(text)).toBe(digits);
});

test.each([
  "+61 412 045 6789",
  "+61 0412",
  "+61 412 345 678 ext 5",
  "0412 345 678 ext 5",
  `0412 345 678${" ".repeat(60)}`,
])("%j is not a number that can be corrected, and stays as it is", (text) => {
  expect(normalisePhone(text)).toBe(text);
});

const impossible = ["04123456789", "041234567", "+0412345678", "6.14123E+10", "0412345abc", "00000000000", "ask Ada"];

test.each(impossible)("%s cannot be stored", (text) => {
  expect(isPossiblePhone(normalisePhone(text))).toBe(false);
});
