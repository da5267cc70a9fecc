import { exportedRows } from "@/lib/server/applications/export";
import { recordRun } from "@/lib/server/applications/record-run";
import type { Filter } from "@/lib/server/applications/search";
import { command, parseArguments, withDatabase } from "./command";
import { actorName, byOption, filterOptions, filterUsage, readFilter } from "./options";
import { byteOrderMark, csvLine, spreadsheetCell, spreadsheetText, writeOut } from "./output";

const usage = `Writes applications as CSV for a spreadsheet: UTF-8, with no answer that runs as a formula. Exports are recorded.

  npm run export -- --out applications.csv    a new file that only your user can read
  (umask 077; npm run --silent export > applications.csv)
${filterUsage}
    --columns             for programs: the columns' own names as headings, and 002 as it is, not as ="002"
    --by NAME`;

async function* lines(filter: Filter, isForPrograms: boolean): AsyncGenerator<string> {
  const format = isForPrograms ? spreadsheetCell : spreadsheetText;
  yield byteOrderMark;
  for await (const cells of exportedRows(filter, isForPrograms ? "names" : "labels")) yield csvLine(cells.map(format));
}

export default command(module, usage, async (args) => {
  const options = { ...filterOptions, ...byOption, out: { type: "string" }, columns: { type: "boolean" } } as const;
  const { values } = parseArguments({ args, options });
  const { out, columns = false } = values;
  const filter = readFilter(values);
  await withDatabase(async () => {
    await recordRun({ by: actorName(values.by), command: "export" });
    await writeOut(lines(filter, columns), out);
  });
  if (out !== undefined) console.log(`Wrote ${out}.`);
});
