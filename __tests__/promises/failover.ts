import { drillFailover } from "@/__tests__/drill/failover";
import { promise } from "./support/world";

promise(70, async (world) => (await drillFailover(world)).join("; "));
