import { randomInt } from "node:crypto";
import { makeReference, readReference } from "@/lib/domain/reference";

const many = Array.from({ length: 2000 }, () => makeReference(randomInt));

test("a reference is two groups of four, without letters or digits that are mistaken for others", () => {
  for (const reference of many) expect(reference).toMatch(/^[3479ACDEFGHJKMNPQRTWXY]{4}-[3479ACDEFGHJKMNPQRTWXY]{4}$/);
});

test("references do not repeat", () => {
  expect(new Set(many).size).toBe(many.length);
});

test.each([
  ["K7QM-4XRT", "K7QM-4XRT"],
  ["k7qm4xrt", "K7QM-4XRT"],
  [" k7qm 4xrt ", "K7QM-4XRT"],
  ["K7QM-4XR", null],
  ["K7QM-4XRT9", null],
  ["K7QM-4XR0", null],
  ["", null],
])("what a person types, %j, is the reference %j", (typed, reference) => {
  expect(readReference(typed)).toBe(reference);
});
