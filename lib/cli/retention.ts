import { parseArgs } from "node:util";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { eraseOld } from "@/lib/server/applications/erase";
import { currentSettings, type RetentionMonths } from "@/lib/server/env";
import { acting, byOption } from "./acting";
import { command, UsageError } from "./command";
import { withDatabase } from "./with-database";

const usage = `  npm run retention [-- --by NAME]        as RETENTION_MONTHS says for each status
  npm run retention -- --months 24        only what was never submitted, and not changed for so long`;

const words: Record<ApplicationStatus, string> = {
  draft: "never submitted",
  submitted: "submitted and nothing more",
  "in-review": "in review",
  approved: "approved",
  declined: "declined",
};

function call(): { months: RetentionMonths; by: string } {
  const { values } = parsed();
  const { months: given } = values;
  const months = given === undefined ? currentSettings().retentionMonths : { draft: Number(given) };
  if (given !== undefined && !/^[1-9]\d{0,2}$/.test(given)) throw new UsageError(usage);
  if (Object.keys(months).length === 0) throw new UsageError(`RETENTION_MONTHS is not set.\n\n${usage}`);
  return { months, by: acting(values.by) };
}

function parsed() {
  try {
    return parseArgs({ strict: true, options: { ...byOption, months: { type: "string" } } });
  } catch {
    throw new UsageError(usage);
  }
}

command(async () => {
  const { months, by } = call();
  await withDatabase(async () => {
    for (const [status, age] of Object.entries(months) as [ApplicationStatus, number][]) {
      const count = await eraseOld(status, age, by);
      const which = count === 1 ? "1 application that was" : `${count} applications that were`;
      console.log(`Personal data erased from ${which} ${words[status]}.`);
    }
  });
});
