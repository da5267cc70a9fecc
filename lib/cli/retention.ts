import { parseArgs } from "node:util";
import { eraseOldDrafts } from "@/lib/server/applications/erase";
import { command, UsageError } from "./command";
import { withDatabase } from "./with-database";

const usage = `Erases the personal data of applications that were never submitted, and not changed for so long.

  npm run retention -- --months 24`;

function months(): number {
  const { values } = parseArgs({ strict: true, options: { months: { type: "string" } } });
  if (values.months === undefined) throw new UsageError("--months is missing.");
  if (/^[1-9]\d{0,2}$/.test(values.months)) return Number(values.months);
  throw new Error("--months must be a whole number from 1 to 999.");
}

command(async () => {
  const age = months();
  const count = await withDatabase(() => eraseOldDrafts(age));
  const which = count === 1 ? "1 application that was" : `${count} applications that were`;
  console.log(`Personal data erased from ${which} never submitted.`);
}, usage);
