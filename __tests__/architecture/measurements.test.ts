import { readFileSync } from "node:fs";
import { tableWith } from "@/__tests__/lab/promises/support/table";
import { type Part, withPart } from "@/__tests__/support/processes/measurements";

const document = readFileSync("docs/measurements.md", "utf8");

test.each<Part>(["bench", "promises"])("a run of %s replaces its own figures in docs/measurements.md", (part) => {
  const written = withPart(document, part, () => "new figures");
  expect(written).toContain(`<!-- ${part}:start -->\nnew figures\n<!-- ${part}:end -->\n`);
  expect(written.length).toBeLessThan(document.length);
  expect(withPart(written, part, () => "newer")).toBe(withPart(document, part, () => "newer"));
});

test.each(["", "<!-- bench:start -->\nno end", "<!-- bench:end -->"])(
  "without both markers nothing is written: %j",
  (text) => {
    expect(() => withPart(text, "bench", () => "new")).toThrow(
      "docs/measurements.md has no place for the part 'bench'.",
    );
  },
);

test("a run replaces the rows of what it measured, in order", () => {
  const first = tableWith("", new Map().set(11, "128 bits").set(10, "kept | on the device"), "2026-11-01");
  const rows = tableWith(first, new Map([[11, "256 bits"]]), "2026-11-02")
    .split("\n")
    .slice(2);
  expect(rows).toEqual(["| 10 | kept | on the device | 2026-11-01 |", "| 11 | 256 bits | 2026-11-02 |"]);
});
