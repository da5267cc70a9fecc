import { searchText, searchWords, splitSearch } from "@/lib/domain/search-text";

test.each([
  ["O'Connor", "oconnor"],
  ["O’Connor", "oconnor"],
  ["Tuʻipulotu", "tuipulotu"],
  ["Söderberg", "soderberg"],
  ["NGUYỄN", "nguyen"],
  ["Łukasz Strauß", "lukasz strauss"],
  ["１２ Smith St", "12 smith st"],
  ["ada_b@mail.example", "ada_b@mail.example"],
])("%s is searched for as %s", (typed, text) => {
  expect(searchText(typed)).toBe(text);
});

test("a word that is empty without apostrophes and accents is not searched for", () => {
  expect(searchWords(" O' ’ \u0301 Brien ")).toEqual(["O'", "Brien"]);
});

const numberIn = (typed: string) => splitSearch(typed.split(" ").filter(Boolean)).number;

test.each([
  ["0412 345 678", "412345678"],
  ["+61 412 345 678", "61412345678"],
  ["0011 61 (412) 345-678", "61412345678"],
  ["+61 (0)412 345 678", "61412345678"],
  ["+61 0412 345 678", "61412345678"],
  ["+61(0)412345678", "61412345678"],
  ["0412\u2011345\u2011678", "412345678"],
  ["0412 – 345–678", "412345678"],
  ["\u202a+61 412 345 678\u202c", "61412345678"],
  ["５６７８", "5678"],
  ["2042", "2042"],
  ["0412", "412"],
  ["567", null],
  ["Ada 5678", "5678"],
  ["Ada 12 Wattle Lane", null],
  ["", null],
])("%j is searched for as the number %j", (typed, digits) => {
  expect(numberIn(typed)).toBe(digits);
});

test.each(["0000", "0011", "0001", "0011 61"])("%s leaves too few digits to search for a number", (typed) => {
  expect(numberIn(typed)).toBeNull();
});
