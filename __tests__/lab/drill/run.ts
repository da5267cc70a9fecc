import { createWorld, type World } from "@/__tests__/lab/promises/support/world";
import { requireBuild } from "@/__tests__/support/processes/build";
import { cleanUpOnTermination } from "@/__tests__/support/processes/clean-up-on-termination";
import { drillAlerts } from "./alerts";
import { drillFailover } from "./failover";

const drills: Record<string, (world: World) => AsyncGenerator<string>> = {
  failover: drillFailover,
  alerts: drillAlerts,
};

/** Runs the named drill on its own servers and prints what it observes. */
async function main(name = ""): Promise<void> {
  const drill = drills[name];
  if (!drill) {
    console.error(`Name a drill: npm run drill -- ${Object.keys(drills).join(" or ")}`);
    process.exit(1);
  }
  requireBuild();
  const world = await createWorld();
  cleanUpOnTermination(world.end);
  try {
    for await (const found of drill(world)) console.log(found);
  } finally {
    await world.end();
  }
  process.exit(0);
}

main(process.argv[2]);
