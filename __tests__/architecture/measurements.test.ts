import { readFileSync } from "node:fs";
import { tableOf } from "@/__tests__/promises/support/table";
import { type Part, withPart } from "@/__tests__/support/processes/measurements";

const document = readFileSync("docs/measurements.md", "utf8");

test.each<Part>(["bench", "promises", "messages"])(
  "a run of %s replaces its own figures in docs/measurements.md",
  (part) => {
    const written = withPart(document, part, "new figures");
    expect(written).toContain(`<!-- ${part}:start -->\nnew figures\n<!-- ${part}:end -->\n`);
    expect(written.length).toBeLessThan(document.length);
    expect(withPart(written, part, "newer")).toBe(withPart(document, part, "newer"));
  },
);

test.each(["", "<!-- bench:start -->\nno end", "<!-- bench:end -->"])(
  "without both markers nothing is written: %j",
  (text) => {
    expect(() => withPart(text, "bench", "new")).toThrow("docs/measurements.md has no place for the part 'bench'.");
  },
);

test("the promises stand below the title of their section", () => {
  const table = tableOf(
    new Map([
      [10, "kept on the device"],
      [11, "256 bits"],
    ]),
  );
  expect(table).toMatch(
    /\*\*Nothing lost, nothing twice\*\* \|\n\| 10 \| kept on the device \|\n\| \| \*\*No way in\*\* \|\n\| 11 \| 256 bits \|/,
  );
});
