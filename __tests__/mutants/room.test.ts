import { rooms } from "@/__tests__/support/rooms";

/** A room's tests as one file: for each mutant the product's modules are loaded once, and not once for each file. */
const room = rooms.find(({ name }) => name === process.env.MUTANTS_OF);
for (const test of room?.tests ?? []) {
  describe(test, () => {
    require(`@/__tests__/${test}.test`);
  });
}

// The files set their own as they are loaded; the last would count for all.
jest.setTimeout(120_000);
