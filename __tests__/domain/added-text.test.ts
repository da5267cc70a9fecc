import { addedText } from "@/lib/domain/added-text";

test.each([
  ["", "", ""],
  ["", "4", "4"],
  ["45", "450", "0"],
  ["45", "145", "1"],
  ["45", "4x5", "x"],
  ["44", "444", "4"],
  ["450", "45", ""],
  ["444", "44", ""],
  ["450", "", ""],
  ["450", "9", "9"],
  ["450", "490", "9"],
  ["12", "1650 pw2", "650 pw"],
  ["", "$650 pw", "$650 pw"],
  ["𝟔", "𝟓𝟔", "𝟓"],
])("the text added between '%s' and '%s' is '%s'", (before, after, added) => {
  expect(addedText(before, after)).toBe(added);
});
