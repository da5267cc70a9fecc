import { parseArgs } from "node:util";
import { personalDataOf } from "@/lib/server/applications/personal-data";
import { findApplications, type Listed, listApplications, mostFound } from "@/lib/server/applications/search";
import { applicationPage } from "./application-page";
import { command, UsageError } from "./command";
import { byteOrderMark, csvLine, spreadsheetCell } from "./csv-line";
import { filterOptions, filterUsage, readFilter } from "./filter-options";
import { print } from "./print";
import { minute, table } from "./table";
import { withDatabase } from "./with-database";

const usage = `Reads applications.

  npm run --silent applications -- list [--csv | --json]       newest first
${filterUsage}
  npm run --silent applications -- find WORDS [--json]         by name, mobile or reference, in any form
  npm run --silent applications -- show REFERENCE [--json]     one application on a page`;

const headings = ["reference", "status", "name", "mobile", "submitted", "invited"];

function cells({ reference, status, name, mobile, submittedAt, invitedAt }: Listed): string[] {
  return [reference, status, name, mobile, minute(submittedAt), minute(invitedAt)];
}

function written(found: Listed[], { csv, json }: { csv?: boolean; json?: boolean }): string {
  if (json) return JSON.stringify(found);
  const rows = found.map(cells);
  if (!csv) return table(headings, rows);
  return (byteOrderMark + [headings, ...rows].map((row) => csvLine(row.map(spreadsheetCell))).join("")).trimEnd();
}

function call() {
  const options = { ...filterOptions, csv: { type: "boolean" }, json: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ strict: true, allowPositionals: true, options });
  const [action, ...words] = positionals;
  const isList = action === "list" && words.length === 0;
  const isFind = action === "find" && words.length > 0;
  const isShow = action === "show" && words.length === 1;
  if (!isList && !isFind && !isShow) throw new UsageError("Choose list, find WORDS or show REFERENCE.");
  if (!isList && (values.csv || values.status || values.since))
    throw new UsageError("--csv, --status and --since go with list.");
  return { action, words: words.join(" "), values, filter: readFilter(values) };
}

command(async () => {
  const { action, words, values, filter } = call();
  await withDatabase(async () => {
    if (action === "show") {
      const held = await personalDataOf(words);
      return print(values.json ? JSON.stringify(held, null, 2) : applicationPage(held));
    }
    const found = action === "list" ? await listApplications(filter) : await findApplications(words);
    if (found.length > 0 || values.json) print(written(found, values));
    if (found.length === 0) console.error("There is no such application.");
    if (action === "find" && found.length === mostFound)
      console.error(`The newest ${mostFound} are shown: add a word.`);
  });
}, usage);
