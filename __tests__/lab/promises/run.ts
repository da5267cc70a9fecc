import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Outcome, runTests, testedNumbers } from "@/__tests__/lab/promises/support/tests";
import { createWorld, promises, type World } from "@/__tests__/lab/promises/support/world";
import { requireBuild } from "@/__tests__/support/processes/build";
import { cleanUpOnTermination } from "@/__tests__/support/processes/clean-up-on-termination";
import { today, writeMeasurements } from "@/__tests__/support/processes/measurements";

/** Promise 53 runs last, because it checks the connections that apps opened in all others. */
const last = 53;

/** Returns every promise, those of messages for the argument `messages`, or those with the given numbers. */
function chosenBy(args: string[]): number[] {
  const every = [...new Set([...promises.keys(), ...testedNumbers])].sort((a, b) => a - b);
  if (args.length === 0) return every;
  if (args[0] === "messages") return every.filter((number) => number >= 41 && number <= 54);
  return every.filter((number) => args.map(Number).includes(number));
}

async function tryPromise(number: number, world: World, tested?: Outcome): Promise<Outcome> {
  const prove = promises.get(number);
  if (!prove || tested?.isKept === false) return tested ?? { isKept: false, text: "nothing tries it" };
  try {
    const text = await prove(world);
    return { isKept: true, text: tested ? `${tested.text}; ${text}` : text };
  } catch (error) {
    const { name, message, stack } = error as Error;
    return { isKept: false, text: name === "Broken" ? message : String(stack) };
  } finally {
    await world.undoAll();
  }
}

/** Runs the chosen promises and writes the figure of each, failures included, to docs/measurements.json, and its outcome to the page beside it. */
async function main(args: string[]): Promise<void> {
  const begun = performance.now();
  for (const file of readdirSync(__dirname)) if (/^(?!run).*\.ts$/.test(file)) require(join(__dirname, file));
  const numbers = chosenBy(args);
  requireBuild();
  const tested = runTests(numbers);
  const world = await createWorld();
  cleanUpOnTermination(world.end);
  let failed = 0;
  try {
    for (const number of [...numbers.filter((n) => n !== last), ...numbers.filter((n) => n === last)]) {
      const { isKept, text } = await tryPromise(number, world, tested.get(number));
      console.log(`${String(number).padStart(2)}  ${isKept ? "ok      " : "FAILED  "}${text}`);
      if (!isKept) failed += 1;
      const [figure = ""] = text.split("\n");
      writeMeasurements({ [number]: { isKept, day: today(), figure } });
    }
  } finally {
    await world.end();
  }
  console.log(
    `\n${Math.round((performance.now() - begun) / 1000)} s\n${numbers.length - failed} passed, ${failed} failed`,
  );
  process.exit(failed === 0 && numbers.length > 0 ? 0 : 1);
}

main(process.argv.slice(2));
