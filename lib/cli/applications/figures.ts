import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError } from "@/lib/cli/shared/flags";
import { forceOption, headingOption, jsonOption, oneOf, parseSince } from "@/lib/cli/shared/options";
import { print, table, writeOut } from "@/lib/cli/shared/output";
import { formatToMinute } from "@/lib/domain/zone-time";
import {
  amountHeadings,
  amountRows,
  bouncesAndOptOuts,
  funnelHeadings,
  funnelRows,
  groupAmountCells,
  groupAmountHeadings,
  stageLabels,
} from "@/lib/server/figures/figure-words";
import { type Figures, type GroupBy, groupings, stages } from "@/lib/server/figures/figures";
import { countOrReadFigures, storeFigures } from "@/lib/server/figures/stored-figures";
import { requireBatch } from "@/lib/server/invitations/unopened";
import { currentSettings } from "@/lib/server/settings";
import { figuresPage, groupCells } from "@/lib/server/templates/figures-page";

const usage = `Counts the applications that reached each stage: invited, sent, opened, steps saved, reviewed, submitted, decided. Then
the amounts asked for, approved and declined, with their medians.

  bin/rent figures
  bin/rent figures --html FILE

  If counting all applications takes longer than a second, the figures that --store has stored are shown.
  A stage counts as reached if a later one was.`;

const flags = {
  batch: { type: "string", value: "NAME", help: "only this batch" },
  since: { type: "string", value: "DAY", help: "invited since then: today or 2026-03-01" },
  by: { type: "string", value: "GROUP", help: `also by ${groupings.join(", ")}` },
  html: { type: "string", value: "FILE", isPath: true, help: "writes a page with charts, by week as well" },
  ...forceOption,
  ...jsonOption,
  ...headingOption,
  store: { type: "boolean", help: "stores the figures: let a timer run it every night" },
} as const satisfies Flags;

const lower = (text: string) => text.toLowerCase();
const headings = funnelHeadings.map(lower);

function formatFigures([whole, ...groups]: Figures[], isPlain: boolean | undefined): string {
  if (!whole) return "";
  const columns = [...stages.map((stage) => lower(stageLabels[stage])), "bounced", "opted out"];
  const { brand } = currentSettings();
  const groupTables = () => [
    table(["group", ...columns], groups.map(groupCells), isPlain),
    table(
      ["group", ...groupAmountHeadings.map(lower)],
      groups.map((group) => groupAmountCells(group, brand)),
      isPlain,
    ),
  ];
  return [
    table(headings, funnelRows(whole), isPlain),
    bouncesAndOptOuts(whole),
    "",
    table(amountHeadings.map(lower), amountRows(whole, brand), isPlain),
    ...(groups.length > 0 ? groupTables().flatMap((lines) => ["", lines]) : []),
  ].join("\n");
}

export default command(module, { usage, flags }, async ({ values }) => {
  const { batch, html, json, store } = values;
  const by = oneOf("by", values.by, groupings);
  const allowed = store ? ["store"] : html !== undefined && ["html", "batch", "since", "force"];
  if (values.force && html === undefined) throw new UsageError("--force requires --html.");
  const other = allowed && Object.keys(values).find((name) => !allowed.includes(name));
  if (other) throw new UsageError(`--${other} cannot be used with --${allowed[0]}.`);
  const filter = { batch, since: parseSince(values.since) };
  await withDatabase(async (url) => {
    if (store) {
      await storeFigures(url);
      return console.log("Stored the figures of all applications.");
    }
    if (batch !== undefined) await requireBatch(batch);
    const { brand } = currentSettings();
    const read = async (by?: GroupBy) => {
      const counted = await countOrReadFigures({ ...filter, by }, url);
      if (counted.isStored)
        console.error(
          `Counted at ${formatToMinute(counted.countedAt, brand)}. To count again: npm run figures -- --store`,
        );
      return counted;
    };
    if (html === undefined) {
      const { figures } = await read(by);
      return print(json ? JSON.stringify(figures) : formatFigures(figures, values["no-heading"]));
    }
    await writeOut([figuresPage(await read("week"), { batch, since: values.since })], html, { replaces: values.force });
    console.log(`Wrote ${html}.`);
  });
});
