/** How long lib/server/http/readiness.ts keeps what it has found. */
const cacheMs = 1000;

/** Returns a function that empties the cache, so that the next probe checks again and tests need not wait. */
export function readinessCache(): () => void {
  const ends: (() => void)[] = [];
  const start = setTimeout;
  const startAndKeep = (end: () => void, ms?: number, ...values: []) => {
    const timer = start(end, ms, ...values);
    if (ms === cacheMs)
      ends.push(() => {
        clearTimeout(timer);
        end();
      });
    return timer;
  };
  beforeEach(() => jest.spyOn(globalThis, "setTimeout").mockImplementation(startAndKeep as typeof setTimeout));
  return () => {
    for (const end of ends.splice(0)) end();
  };
}
