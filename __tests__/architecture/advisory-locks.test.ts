import { readFileSync } from "node:fs";
import { productFiles } from "@/__tests__/support/product-files";

test("no two advisory locks have the same number", () => {
  const numbers = productFiles("lib").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/Lock = ([\d_]+);/g)].map(([, number]) => number),
  );
  expect(numbers.length).toBeGreaterThan(2);
  expect(new Set(numbers).size).toBe(numbers.length);
});
