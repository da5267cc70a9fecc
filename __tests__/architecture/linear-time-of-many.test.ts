import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isLinear } from "@/__tests__/support/is-linear";
import { reportFigure } from "@/__tests__/support/size";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { readList } from "@/lib/cli/invitations/invitation-list";
import { readReport } from "@/lib/server/channels/bounces/read-report";

/** The size of a report and of a list. */
const manySize = 32_000;

/** As many of the things as fit, each from its number. */
function many(size: number, thing: (number: number) => string): string[] {
  const things: string[] = [];
  for (let length = 0; length < size; length += things.at(-1)?.length ?? 0) things.push(thing(things.length));
  return things;
}

const original = "--b\nContent-Type: message/rfc822\n\nMessage-ID: <1@lender.example>\n\n--b--\n";
/** A delivery report with these lines in front of the email that it returns. */
const report = (lines: string[]) => `Content-Type: multipart/report; boundary=b\n\n${lines.join("")}${original}`;
const status = "--b\nContent-Type: message/delivery-status\n\n";

test.each<[name: string, worst: (size: number) => string]>([
  ["parts", (size) => report(many(size, () => "--b\n\nText of the part.\n"))],
  [
    "nested parts",
    (size) => report(many(size, (n) => `--b${n || ""}\nContent-Type: multipart/mixed; boundary=b${n + 1}\n\n`)),
  ],
  ["headers", (size) => `${many(size, (n) => `X-${n}: 1\n`).join("")}${report([])}`],
  ["parameters", (size) => report([`--b\nContent-Type: a/b; ${many(size, (n) => `a*${n}*=1;`).join("")}\n\n`])],
  ["recipients", (size) => report([status, ...many(size, () => "Action: failed\n\n")])],
  ["fields", (size) => report([status, ...many(size, (n) => `X-${n}: 1\n`)])],
])("a delivery report with many %s is read in linear time", async (_, worst) => {
  const isKept = await isLinear((text) => readReport(Buffer.from(text)), worst, manySize);
  reportFigure(66, "delivery reports of 32 kB with many parts, fields or recipients in linear time", isKept);
  expect(isKept).toBe(true);
});

const folder = temporaryFolder();

test.each<[name: string, carries: boolean, worst: (size: number) => string[]]>([
  ["columns to carry", true, (size) => many(size, (n) => `x${n},`)],
  ["unknown columns", false, (size) => many(size, (n) => `x${n},`)],
  ["columns of our export", false, (size) => [...many(size, () => "status,"), "reference"]],
])("a list with many %s is read in linear time, or refused", async (_, carries, worst) => {
  const file = join(folder, "list.csv");
  const read = (headings: string) => {
    writeFileSync(file, `mobile,${headings}\n`);
    return readList(file, carries ? headings.split(",") : []).catch(() => {});
  };
  const isKept = await isLinear(read, (size) => worst(size).join(""), manySize);
  reportFigure(66, "lists with many columns in linear time, or refused above 1,000", isKept);
  expect(isKept).toBe(true);
});
