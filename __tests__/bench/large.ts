import { endLoad, names, sendTo, warm } from "./load";
import { operations } from "./operations";
import { rounds } from "./rounds";
import { seed } from "./seed";
import { compared, type Row } from "./table";
import type { World } from "./world";

const few = 1000;
const many = 5_000_000;
const times = 7;

/** Calls and commands at many applications with ten events each, against few. */
export async function large(world: World): Promise<Row[]> {
  const { postgres, startOn } = world;
  const [small, big] = [await postgres.createDatabase("few"), await postgres.createDatabase("many")];
  await seed(small, few);
  const begun = performance.now();
  await seed(big, many);
  console.error(`filled in ${Math.round((performance.now() - begun) / 1000)} s`);
  const [ofFew, ofMany] = [await startOn(small), await startOn(big)];
  const [toFew, toMany] = [sendTo(few), sendTo(many)];
  await warm(toFew, ofFew);
  for (let n = 0; n < 2; n += 1) await warm(toMany, ofMany);
  const taken = await rounds(times, {
    verifyOfFew: () => toFew("verify", ofFew),
    verifyOfMany: () => toMany("verify", ofMany),
    saveOfFew: () => toFew("save", ofFew),
    saveOfMany: () => toMany("save", ofMany),
  });
  await Promise.all([ofFew, ofMany].map((app) => app.end("SIGTERM")));
  endLoad();
  return [
    ...(["verify", "save"] as const).map((call) =>
      compared({
        unit: "a second",
        what: `${names[call]} at ${many.toLocaleString("en")} applications and ten times as many events`,
        floor: `at ${few.toLocaleString("en")}`,
        least: 0.9,
        ours: taken[`${call}OfMany`],
        floors: taken[`${call}OfFew`],
      }),
    ),
    await operations(world, big, many),
  ];
}
