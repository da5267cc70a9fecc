import { readdirSync, readFileSync } from "node:fs";
import { testedNumbers } from "@/__tests__/lab/promises/support/tests";
import { type Measurements, withOutcomes } from "@/__tests__/support/processes/measurements";

const page = readFileSync("docs/measurements.md", "utf8");
const { measured }: Measurements = JSON.parse(readFileSync("docs/measurements.json", "utf8"));

test("docs/measurements.md reports what docs/measurements.json has measured", () => {
  expect(withOutcomes(page, measured)).toBe(page);
});

test("every promise that is tried has a row of its own, in about a hundred characters", () => {
  const rows = [...page.matchAll(/^\| (\d+) \| (.+?) \|/gm)].map(([, number, promise = ""]) => [
    Number(number),
    promise,
  ]);
  const folder = "__tests__/lab/promises";
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const registered = files.flatMap((name) =>
    [...readFileSync(`${folder}/${name}`, "utf8").matchAll(/\bpromise\(\s*(\d+)/g)].map(([, number]) => Number(number)),
  );
  const tried = new Set([...testedNumbers, ...registered]);
  expect(rows.map(([number]) => number)).toEqual([...tried].toSorted((a, b) => a - b));
  expect(rows.filter(([, promise]) => String(promise).length > 110)).toEqual([]);
});

test("a run replaces the outcome of what it measured, and nothing else", () => {
  const table =
    "| 10 | kept on the device |  |  |\n| 11 | 256 bits | yes | 2026-11-01 |\n| a key | fast | yes | 2026-11-01 |\n";
  const written = withOutcomes(table, {
    10: { isKept: true, day: "2026-11-02", figure: "4 values" },
    "a key": { isKept: false, day: "2026-11-02", figure: "900 ms" },
    bytes: { day: "2026-11-02", figure: "1 kB" },
  });
  expect(written).toBe(
    "| 10 | kept on the device | yes | 2026-11-02 |\n| 11 | 256 bits | yes | 2026-11-01 |\n| a key | fast | **no** | 2026-11-02 |\n",
  );
});

test("a measurement without a row is refused", () => {
  expect(() => withOutcomes("| 10 | x |  |  |", { 12: { isKept: true, day: "", figure: "" } })).toThrow("no row '12'");
});
