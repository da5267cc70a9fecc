import { parseArgs } from "node:util";
import { exportedRows } from "@/lib/server/applications/export";
import type { Filter } from "@/lib/server/applications/search";
import { command } from "./command";
import { filterOptions, filterUsage, readFilter } from "./options";
import { byteOrderMark, csvLine, spreadsheetCell, writeOut } from "./output";
import { withDatabase } from "./with-database";

const usage = `Writes applications as CSV for a spreadsheet: UTF-8, and no answer can run as a formula.

  npm run export -- --out applications.csv    a new file, for this user alone
  npm run --silent export > applications.csv
${filterUsage}`;

async function* lines(filter: Filter): AsyncGenerator<string> {
  yield byteOrderMark;
  for await (const cells of exportedRows(filter)) yield csvLine(cells.map(spreadsheetCell));
}

command(async () => {
  const { values } = parseArgs({ strict: true, options: { ...filterOptions, out: { type: "string" } } });
  const filter = readFilter(values);
  await withDatabase(() => writeOut(lines(filter), values.out));
  if (values.out !== undefined) console.log(`Wrote ${values.out}.`);
}, usage);
