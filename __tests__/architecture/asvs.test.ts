import { existsSync, readFileSync } from "node:fs";
import { reportFigure } from "@/__tests__/support/size";

/** ASVS 5.0.0: for each section, the levels of its requirements in their order. */
const levels =
  "1.1:22 1.2:1111122223 1.3:112222222223 1.4:222 1.5:123 2.1:122 2.2:112 2.3:12223 2.4:23 3.1:3 3.2:113 3.3:12223 " +
  "3.4:11222233 3.5:11122333 3.6:3 3.7:22333 4.1:12233 4.2:23333 4.3:22 4.4:1222 5.1:2 5.2:112333 5.3:113 5.4:222 " +
  "6.1:122 6.2:111111112222 6.3:11223333 6.4:112233 6.5:22222333 6.6:2223 6.7:33 6.8:2222 7.1:222 7.2:1111 7.3:22 " +
  "7.4:11222 7.5:223 7.6:22 8.1:1233 8.2:1123 8.3:133 8.4:23 9.1:111 9.2:1222 10.1:22 10.2:223 10.3:22223 " +
  "10.4:1111122222233333 10.5:22222 10.6:22 10.7:222 11.1:2233 11.2:22233 11.3:11233 11.4:1222 11.5:23 11.6:23 " +
  "11.7:33 12.1:12233 12.2:11 12.3:22223 13.1:2333 13.2:222223 13.3:2233 13.4:1222233 14.1:22 14.2:12223333 14.3:122 " +
  "15.1:12233 15.2:12233 15.3:1222222 15.4:3333 16.1:2 16.2:22222 16.3:2222 16.4:222 16.5:2223 17.1:23 17.2:22223333 " +
  "17.3:22";

const required = levels.split(" ").flatMap((section) => {
  const [name, each = ""] = section.split(":");
  return [...each].map((level, index) => ({ id: `${name}.${index + 1}`, level })).filter(({ level }) => level !== "3");
});

/** Requirements that are not met. A new deviation has to be added here as well, and its reason to the ledger. */
const deviations: Record<string, string[]> = {
  1: ["7.2.4", "7.4.1", "14.2.1", "14.3.1", "15.2.1"],
  2: ["3.3.4", "6.3.3", "6.5.1", "6.5.5", "7.3.1", "7.5.2", "10.5.2", "12.3.1", "12.3.3", "14.3.3"],
};

/** What may be the reason of a deviation (promise 71). */
const acceptedReason = /specification|product\.md|sign-in provider|advisories/;

interface Row {
  id: string;
  level: string;
  verdict: string;
  shown: string;
}

function rowsOf(ledger: string): Row[] {
  const lines = ledger.split("\n").filter((line) => /^\| \d/.test(line));
  return lines.map((line) => {
    const cells = line.slice(1, -1).split(" | ");
    const [id = "", level = "", , verdict = "", shown = ""] = cells.map((cell) => cell.trim());
    return { id, level, verdict, shown };
  });
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The pattern of a title, of which the ledger may give only the first words, followed by '…'. */
const titled = (words: string) => (words.endsWith("…") ? `${escaped(words.slice(0, -1))}[^\\n]*?` : escaped(words));

/** Whether the file has a test of this title, registers this promise, or is a document with this section. */
function shows(path: string, title: string): boolean {
  if (!existsSync(path)) return false;
  const text = readFileSync(path, "utf8");
  const number = /^promise (\d+)$/.exec(title)?.[1];
  if (number) return text.includes(`promise(${number},`);
  if (/\.(test|spec)\.tsx?$/.test(path)) return new RegExp(`[)\\w\`]\\(\\s*(["'\`])${titled(title)}\\1,`).test(text);
  return path.endsWith(".md") ? new RegExp(`^#+ ${escaped(title)}$`, "m").test(text) : text.includes(title);
}

/** What is wrong with a row, if anything. */
function faultIn({ id, verdict, shown }: Row): string | undefined {
  if (verdict === "not applicable" || verdict === "deviation")
    return /\w+ \w+/.test(shown) ? undefined : `${id} gives no reason`;
  if (verdict !== "met") return `${id} is '${verdict}'`;
  const named = [...shown.matchAll(/`([^`]+)` "([^"]+)"/g)];
  if (named.length === 0) return `${id} names nothing that shows it`;
  const [, path, title] = named.find(([, file = "", words = ""]) => !shows(file, words)) ?? [];
  return path && `${id} names ${path} "${title}", which is not there`;
}

const faultsIn = (ledger: string) => rowsOf(ledger).flatMap((row) => faultIn(row) ?? []);
const ledger = readFileSync("docs/asvs.md", "utf8");

test("docs/asvs.md lists every requirement of levels 1 and 2 once, in order", () => {
  expect(rowsOf(ledger).map(({ id, level }) => ({ id, level }))).toEqual(required);
});

test("each row names tests, promises or documents that exist, or gives a reason", () => {
  expect(faultsIn(ledger)).toEqual([]);
});

test("the deviations are the known ones, and the counts are right", () => {
  const rows = rowsOf(ledger);
  const lines = ["1", "2"].map((level) => {
    const rowsWith = (verdict: string) => rows.filter((row) => row.level === level && row.verdict === verdict);
    const [met, notApplicable, notMet] = [rowsWith("met"), rowsWith("not applicable"), rowsWith("deviation")];
    expect(notMet.map(({ id }) => id)).toEqual(deviations[level]);
    return `Level ${level}: ${met.length} met, ${notApplicable.length} not applicable, ${notMet.length} deviations.`;
  });
  for (const line of lines) expect(ledger).toContain(line);
  const deviating = rows.filter(({ verdict }) => verdict === "deviation");
  const others = deviating.filter(({ shown }) => !acceptedReason.test(shown)).map(({ id }) => id);
  const figure = `${deviating.length - others.length} of ${deviating.length} deviations of levels 1 and 2 have an accepted reason`;
  const without = others.length > 0 ? `, not ${others.join(", ")}` : "";
  reportFigure(71, `ASVS 5.0: ${figure}${without}; every test that the ledger names exists`, others.length === 0);
});

test.each([
  ["a file that is not there", '| 1.1.1 | 2 | x | met | `__tests__/api/nowhere.test.ts` "x" |', "is not there"],
  ["a title that is not there", '| 1.1.1 | 2 | x | met | `__tests__/api/limits.test.ts` "no title" |', "is not there"],
  [
    "a beginning that no title has",
    '| 1.1.1 | 2 | x | met | `__tests__/api/limits.test.ts` "no title…" |',
    "is not there",
  ],
  [
    "a promise that is not there",
    '| 1.1.1 | 2 | x | met | `__tests__/lab/promises/logs.ts` "promise 1" |',
    "is not there",
  ],
  ["a section that is not there", '| 1.1.1 | 2 | x | met | `docs/calls.md` "Nowhere" |', "is not there"],
  ["nothing at all", "| 1.1.1 | 2 | x | met | because |", "names nothing"],
  ["an empty reason", "| 1.1.1 | 2 | x | not applicable |  |", "gives no reason"],
  ["a deviation without a reason", "| 1.1.1 | 2 | x | deviation |  |", "gives no reason"],
  ["another word", "| 1.1.1 | 2 | x | partly | it is so |", "is 'partly'"],
])("a row that names %s is refused", (_, row, fault) => {
  expect(faultsIn(row)).toEqual([expect.stringContaining(fault)]);
});
