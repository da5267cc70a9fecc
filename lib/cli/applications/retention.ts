import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError } from "@/lib/cli/shared/flags";
import { actorName, byOption, previewOption, yesOption } from "@/lib/cli/shared/options";
import { formatCount, isConfirmed, withNoun } from "@/lib/cli/shared/output";
import type { ApplicationStatus } from "@/lib/domain/statuses";
import { eraseOld, findOld } from "@/lib/server/applications/erase";
import { recordRun } from "@/lib/server/applications/record-run";
import { toTheMinute } from "@/lib/server/brand-time";
import { currentSettings } from "@/lib/server/settings";
import type { RetentionMonths } from "@/lib/server/settings-schema";

const usage = `Erases the personal data of applications that have not changed for a number of months. On a terminal it shows how many, and
asks for confirmation. It does not ask in a script.

  bin/rent retention                as RETENTION_MONTHS says for each status
  bin/rent retention --months 24    only drafts that have not changed for 24 months`;

const flags = {
  months: { type: "string", value: "24", help: "erases only drafts, of this age" },
  ...previewOption,
  ...yesOption,
  ...byOption,
} as const satisfies Flags;

type Ages = [status: ApplicationStatus, months: number][];

function readMonths(text: string | undefined): Ages {
  if (text !== undefined && !/^[1-9]\d{0,2}$/.test(text))
    throw new UsageError("--months must be a whole number from 1 to 999.");
  const months: RetentionMonths = text === undefined ? currentSettings().RETENTION_MONTHS : { draft: Number(text) };
  if (Object.keys(months).length === 0) throw new UsageError("RETENTION_MONTHS is not set.");
  return Object.entries(months) as Ages;
}

/** Prints how many applications would be erased, when the oldest and newest of them last changed, and their references. */
async function show(ages: Ages, by: string): Promise<number> {
  const all = await Promise.all(
    ages.map(async ([status, months]) => ({ status, months, found: await findOld(status, months) })),
  );
  const sum = all.reduce((count, { found }) => count + found.length, 0);
  await recordRun({ by, command: "retention", count: sum });
  for (const { status, months, found } of all) {
    const [oldest, newest] = [found[0], found.at(-1)];
    console.log(
      `${withNoun(found.length, "application")} with the status '${status}', unchanged for ${months} months.`,
    );
    if (!oldest || !newest) continue;
    console.log(
      `  The oldest last changed at ${toTheMinute(oldest.updatedAt)}, the newest at ${toTheMinute(newest.updatedAt)}.`,
    );
    console.log(`  ${found.map(({ reference }) => reference).join(" ")}`);
  }
  return sum;
}

export default command(module, { usage, flags }, async ({ values: { months, preview, yes, by } }) => {
  const ages = readMonths(months);
  const actor = actorName(by);
  await withDatabase(async () => {
    const asks = !yes && process.stdin.isTTY;
    if (preview || asks) {
      const count = await show(ages, actor);
      if (preview || count === 0) return console.log("Nothing was erased.");
      if (!(await isConfirmed(`Erase ${withNoun(count, "application")}? It cannot be undone.`))) {
        process.exitCode = 1;
        return console.log("Nothing was erased.");
      }
    }
    for (const [status, age] of ages) {
      const report = (erased: number) => console.error(`${formatCount(erased)} erased so far.`);
      const count = await eraseOld(status, age, actor, report);
      console.log(`Personal data erased from ${withNoun(count, "application")} with the status '${status}'.`);
    }
  });
});
