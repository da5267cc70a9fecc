import { readFileSync } from "node:fs";
import { plantedFaults } from "@/__tests__/lab/simulation/planted-faults";

test.each(plantedFaults)("the simulation can plant: $name", ({ file, edits }) => {
  const text = readFileSync(file, "utf8");
  for (const { find } of edits) expect(text.split(find)).toHaveLength(2);
});

test("there are at least thirty planted faults, with unique names", () => {
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBeGreaterThanOrEqual(30);
  expect(new Set(plantedFaults.map(({ name }) => name)).size).toBe(plantedFaults.length);
});
