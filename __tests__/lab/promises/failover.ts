import { drillFailover } from "@/__tests__/lab/drill/failover";
import { promise } from "@/__tests__/lab/promises/support/world";

promise(70, async (world) => {
  const seen: string[] = [];
  for await (const found of drillFailover(world)) seen.push(found);
  return seen.join("; ");
});
