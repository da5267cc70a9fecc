import { searchText } from "@/lib/domain/search-text";

test.each([
  ["O'Connor", "oconnor"],
  ["O’Connor", "oconnor"],
  ["Söderberg", "soderberg"],
  ["NGUYỄN", "nguyen"],
  ["Łukasz Strauß", "lukasz strauss"],
  ["１２ Smith St", "12 smith st"],
  ["ada_b@mail.example", "ada_b@mail.example"],
])("%s is searched for as %s", (typed, text) => {
  expect(searchText(typed)).toBe(text);
});
