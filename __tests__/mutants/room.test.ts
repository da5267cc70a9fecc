import { rooms } from "@/__tests__/support/rooms";
import { readSettings, replaceSettings } from "@/lib/server/settings";

/**
 * A room's tests as one file: for each mutant the product's modules are loaded once, and not once for each file. Of the
 * files only those are loaded that have a test which reaches the mutant.
 */
const kept = globalThis as { rentAdvanceLimiters?: Record<string, unknown> };
const room = rooms.find(({ name }) => name === process.env.MUTANTS_OF);
// They count in the database of the file that was the first to need them.
const { rentAdvanceLimiters: limiters = {} } = kept;
kept.rentAdvanceLimiters = limiters;
const reaching = (globalThis as { testNamePattern?: string }).testNamePattern?.replaceAll("\\", "");

for (const test of room?.tests ?? []) {
  if (reaching && !reaching.includes(`(${test} `)) continue;
  describe(test, () => {
    const before = { ...process.env };
    let own: NodeJS.ProcessEnv;
    // Each file has its own environment, settings and counts, as if it were alone.
    beforeAll(() => {
      process.env = { ...own };
      for (const name of Object.keys(limiters)) delete limiters[name];
    });
    require(`@/__tests__/${test}.test`);
    own = process.env;
    process.env = before;
    beforeAll(() => replaceSettings(readSettings(process.env)));
    afterAll(() => {
      process.env = { ...before };
    });
  });
}

// The files set their own as they are loaded; the last would count for all.
jest.setTimeout(1000 * (room?.testSeconds ?? 120));
