import type { ApplicationStatus } from "@/lib/domain/statuses";
import { eraseOld } from "@/lib/server/applications/erase";
import { currentSettings } from "@/lib/server/settings";
import type { RetentionMonths } from "@/lib/server/settings-schema";
import { command, parseArguments, UsageError, withDatabase } from "./command";
import { actorName, byOption } from "./options";
import { formatCount, withNoun } from "./output";

const usage = `Erases the personal data of applications that have not changed for a number of months.

  npm run retention [-- --by NAME]        as RETENTION_MONTHS says for each status
  npm run retention -- --months 24        only drafts that have not changed for 24 months`;

function readArguments(args: string[]): { months: RetentionMonths; by: string } {
  const { values } = parseArguments({ args, options: { ...byOption, months: { type: "string" } } });
  const { months: monthsText } = values;
  if (monthsText !== undefined && !/^[1-9]\d{0,2}$/.test(monthsText))
    throw new UsageError("--months must be a whole number from 1 to 999.");
  const months = monthsText === undefined ? currentSettings().RETENTION_MONTHS : { draft: Number(monthsText) };
  if (Object.keys(months).length === 0) throw new UsageError("RETENTION_MONTHS is not set.");
  return { months, by: actorName(values.by) };
}

export default command(module, usage, async (args) => {
  const { months, by } = readArguments(args);
  await withDatabase(async () => {
    for (const [status, age] of Object.entries(months) as [ApplicationStatus, number][]) {
      const report = (erased: number) => console.error(`${formatCount(erased)} erased so far.`);
      const count = await eraseOld(status, age, by, report);
      console.log(`Personal data erased from ${withNoun(count, "application")} with the status '${status}'.`);
    }
  });
});
