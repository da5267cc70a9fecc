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
} from "@/lib/server/applications/figure-words";
import { type Figures, type GroupBy, groupings, stages } from "@/lib/server/applications/figures";
import { countOrReadFigures, storeFigures } from "@/lib/server/applications/stored-figures";
import { requireBatch } from "@/lib/server/invitations/unopened";
import { figuresPage, groupCells } from "@/lib/server/messages/templates/figures-page";
import { currentSettings } from "@/lib/server/settings";
import { command, parseArguments, UsageError, withDatabase } from "./command";
import { oneOf, parseSince } from "./options";
import { print, table, writeOut } from "./output";

const usage = `Counts the applications that reached each stage: invited, sent, opened, steps saved, reviewed, submitted, decided. Then
the amounts asked for, approved and declined, with their medians.

  npm run figures -- [--batch NAME] [--since 2026-03-01] [--by ${groupings.join(" | ")}] [--json]
  npm run figures -- --html FILE [--batch NAME] [--since 2026-03-01]    a page with charts, by week as well
  npm run figures -- --store                                              stores the figures: let a timer run it every night

  If counting all applications takes longer than a second, the figures that --store has stored are shown.
  --since is the day of the invitation. A stage counts as reached if a later one was.`;

const lower = (text: string) => text.toLowerCase();
const headings = funnelHeadings.map(lower);

function formatFigures([whole, ...groups]: Figures[]): string {
  if (!whole) return "";
  const columns = [...stages.map((stage) => lower(stageLabels[stage])), "bounced", "opted out"];
  const { brand } = currentSettings();
  const groupTables = () => [
    table(["group", ...columns], groups.map(groupCells)),
    table(
      ["group", ...groupAmountHeadings.map(lower)],
      groups.map((group) => groupAmountCells(group, brand)),
    ),
  ];
  return [
    table(headings, funnelRows(whole)),
    bouncesAndOptOuts(whole),
    "",
    table(amountHeadings.map(lower), amountRows(whole, brand)),
    ...(groups.length > 0 ? groupTables().flatMap((lines) => ["", lines]) : []),
  ].join("\n");
}

export default command(module, usage, async (args) => {
  const text = { type: "string" } as const;
  const options = {
    batch: text,
    since: text,
    by: text,
    html: text,
    json: { type: "boolean" },
    store: { type: "boolean" },
  } as const;
  const { values } = parseArguments({ args, options });
  const { batch, html, json, store } = values;
  const by = oneOf("by", values.by, groupings);
  const allowed = store ? ["store"] : html !== undefined && ["html", "batch", "since"];
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
      return print(json ? JSON.stringify(figures) : formatFigures(figures));
    }
    await writeOut([figuresPage(await read("week"), { batch, since: values.since })], html, { replaces: true });
    console.log(`Wrote ${html}.`);
  });
});
