import { parseArgs } from "node:util";
import { eraseOldDrafts } from "@/lib/server/applications/erase";
import { command, UsageError } from "./command";
import { withDatabase } from "./with-database";

const usage = "  npm run retention -- --months 24";

function months(): number {
  try {
    const { values } = parseArgs({ strict: true, options: { months: { type: "string" } } });
    if (/^\d{1,3}$/.test(values.months ?? "") && Number(values.months) >= 1) return Number(values.months);
  } catch {
    // An unknown flag gets the usage, too.
  }
  throw new UsageError(usage);
}

command(async () => {
  const age = months();
  const count = await withDatabase(() => eraseOldDrafts(age));
  const which = count === 1 ? "1 application that was" : `${count} applications that were`;
  console.log(`Personal data erased from ${which} never submitted.`);
});
