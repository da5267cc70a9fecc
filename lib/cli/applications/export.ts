import { command, withDatabase } from "@/lib/cli/shared/command";
import type { Flags } from "@/lib/cli/shared/flags";
import { actorName, byOption, filterOptions, forceOption, readFilter } from "@/lib/cli/shared/options";
import { byteOrderMark, csvLine, spreadsheetCell, spreadsheetText, writeOut } from "@/lib/cli/shared/output";
import { exportedRows } from "@/lib/server/applications/export";
import { recordRun } from "@/lib/server/applications/record-run";
import type { Filter } from "@/lib/server/applications/search";

const usage = `Writes applications as CSV for a spreadsheet: UTF-8, with no answer that runs as a formula. Exports are recorded.

  bin/rent export --out applications.csv
  (umask 077; bin/rent export > applications.csv)`;

const flags = {
  out: { type: "string", value: "FILE", isPath: true, help: "writes a new file that only your user can read" },
  ...forceOption,
  ...filterOptions,
  columns: {
    type: "boolean",
    help: `for programs: the columns' own names as headings, and 002 as it is, not as ="002"`,
  },
  ...byOption,
} as const satisfies Flags;

async function* lines(filter: Filter, isForPrograms: boolean): AsyncGenerator<string> {
  const format = isForPrograms ? spreadsheetCell : spreadsheetText;
  yield byteOrderMark;
  for await (const cells of exportedRows(filter, isForPrograms ? "names" : "labels")) yield csvLine(cells.map(format));
}

export default command(module, { usage, flags }, async ({ values }) => {
  const { out, columns = false, force: replaces } = values;
  const filter = readFilter(values);
  await withDatabase(async () => {
    await recordRun({ by: actorName(values.by), command: "export" });
    await writeOut(lines(filter, columns), out, { replaces });
  });
  if (out !== undefined) console.log(`Wrote ${out}.`);
});
