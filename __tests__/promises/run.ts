import { readdirSync } from "node:fs";
import { join } from "node:path";
import { requireBuild } from "@/__tests__/support/processes/build";
import { endWhenCutOff } from "@/__tests__/support/processes/end-when-cut-off";
import { circumstances, type Part, writeMeasurements } from "@/__tests__/support/processes/measurements";
import { tableOf } from "./support/table";
import { type Outcome, runTests, testedNumbers } from "./support/tests";
import { createWorld, promises, type World } from "./support/world";

/** Looks at what all the others have done. */
const last = 53;

/** What to run, and the part of the document that it is the whole of. */
function chosenBy(given: string[]): { numbers: number[]; part?: Part } {
  const every = [...new Set([...promises.keys(), ...testedNumbers])].sort((a, b) => a - b);
  const ofMessages = (number: number) => number >= 41 && number <= 54;
  if (given.length === 0) return { numbers: every.filter((one) => !ofMessages(one) || one === last), part: "promises" };
  if (given[0] === "messages") return { numbers: every.filter(ofMessages), part: "messages" };
  return { numbers: every.filter((number) => given.map(Number).includes(number)) };
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

/**
 * Runs the promises with the given numbers; those of messages (`messages`), which take minutes of their own; or all others.
 * A full run of either that passes writes its table into docs/measurements.md.
 */
async function main(given: string[]): Promise<void> {
  const begun = performance.now();
  for (const file of readdirSync(__dirname)) if (/^(?!run).*\.ts$/.test(file)) require(join(__dirname, file));
  const { numbers, part } = chosenBy(given);
  requireBuild();
  const tested = runTests(numbers);
  const world = await createWorld();
  endWhenCutOff(world.end);
  const figures = new Map<number, string>();
  try {
    for (const number of [...numbers.filter((one) => one !== last), ...numbers.filter((one) => one === last)]) {
      const { isKept, text } = await tryPromise(number, world, tested.get(number));
      if (isKept) figures.set(number, text);
      console.log(`${String(number).padStart(2)}  ${isKept ? "ok      " : "FAILED  "}${text}`);
    }
    if (part && figures.size === numbers.length) {
      const where = await circumstances(await world.browser(), world.postgres);
      writeMeasurements(part, `${where}\n\n${tableOf(figures)}`);
    }
  } finally {
    await world.end();
  }
  const failed = numbers.length - figures.size;
  console.log(`\n${Math.round((performance.now() - begun) / 1000)} s\n${figures.size} passed, ${failed} failed`);
  process.exit(failed === 0 && figures.size > 0 ? 0 : 1);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
