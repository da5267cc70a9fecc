import { readFileSync } from "node:fs";
import { plantedFaults } from "@/__tests__/simulation/planted-faults";

test.each(plantedFaults)("the simulation can plant: $name", ({ file, find }) => {
  expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
});
