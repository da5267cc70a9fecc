import { readFileSync } from "node:fs";
import { plantedFaults } from "@/__tests__/simulation/planted-faults";

test.each(plantedFaults)("the simulation can plant: $name", ({ file, edits }) => {
  const text = readFileSync(file, "utf8");
  for (const { find } of edits) expect(text.split(find)).toHaveLength(2);
});
