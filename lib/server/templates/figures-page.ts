import type * as ECharts from "echarts";
import { formatToMinute } from "@/lib/domain/zone-time";
import {
  amountHeadings,
  amountRows,
  bouncesAndOptOuts,
  funnelHeadings,
  funnelRows,
  groupAmountCells,
  groupAmountHeadings,
  percent,
  stageLabels,
} from "@/lib/server/figures/figure-words";
import type { Figures, Stage } from "@/lib/server/figures/figures";
import type { CountedFigures } from "@/lib/server/figures/stored-figures";
import { currentSettings } from "@/lib/server/settings";
import { Html, html } from "./html";

/** These colours are dark enough on white for a line (WCAG 2.2, 1.4.11). */
const colours = ["#1f4e79", "#b5520a", "#2e7d32"];
/** The width of a chart on paper and on a desktop. */
const wide = 720;
const weekMs = 7 * 24 * 60 * 60 * 1000;

export interface Chart {
  svg: string;
  /** What it shows, in words. A table beside it has the same numbers. */
  label: string;
  width: number;
  height: number;
}

/** Renders an SVG. ECharts needs no browser for this. */
function draw(option: ECharts.EChartsOption, size: Pick<Chart, "width" | "height">, label: string): Chart {
  // ECharts is large, so only a process that draws a chart loads it. require(), because drawing is synchronous.
  const { init }: typeof ECharts = require("echarts");
  const drawn = init(null, null, { renderer: "svg", ssr: true, ...size });
  drawn.setOption({
    animation: false,
    color: colours,
    textStyle: { fontFamily: "sans-serif", fontSize: 14 },
    ...option,
  });
  const svg = drawn.renderToSVGString();
  drawn.dispose();
  return { svg, label, ...size };
}

const figure = ({ svg, label }: Chart) => html`<figure role="img" aria-label="${label}">${new Html(svg)}</figure>`;

/** The width of a digit in a chart's text. */
const digitWidth = 8;

export function funnelChart({ stages }: Figures, width = wide): Chart {
  const labels = stages.map(({ count, ofInvited }) => `${count.toLocaleString("en")} (${percent(ofInvited)})`);
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  const option: ECharts.EChartsOption = {
    // The label of a bar that fills the chart stands in its margin.
    grid: { left: width < wide ? 90 : 120, right: 16 + digitWidth * longest, top: 10, bottom: 30 },
    xAxis: { type: "value", minInterval: 1, splitNumber: width < wide ? 2 : 5 },
    yAxis: { type: "category", inverse: true, data: stages.map(({ stage }) => stageLabels[stage]) },
    series: [
      {
        type: "bar",
        data: stages.map(({ count }, index) => ({
          value: count,
          label: { show: true, position: "right", formatter: labels[index] },
        })),
      },
    ],
  };
  return draw(option, { width, height: 360 }, "Applications that reached each stage. The table below has the numbers.");
}

const plottedStages: Stage[] = ["invited", "opened", "submitted"];
const countOf = (figures: Figures | undefined, name: Stage) =>
  figures?.stages.find(({ stage }) => stage === name)?.count ?? 0;

/** Every Monday from the first to the last. A week without invitations has no figures. */
function everyMonday(weeks: Figures[]): string[] {
  const times = weeks.map(({ group }) => Date.parse(group));
  const mondays: string[] = [];
  for (let time = Math.min(...times); time <= Math.max(...times); time += weekMs)
    mondays.push(new Date(time).toISOString().slice(0, 10));
  return mondays;
}

/** Of the figures of each week. */
export function weeklyChart(weeks: Figures[], width = wide): Chart {
  const byMonday = new Map(weeks.map((week) => [week.group, week]));
  const mondays = everyMonday(weeks);
  const option: ECharts.EChartsOption = {
    grid: { left: 60, right: 20, top: 40, bottom: 40 },
    legend: { top: 0, data: plottedStages.map((stage) => stageLabels[stage]) },
    xAxis: { type: "category", data: mondays },
    yAxis: { type: "value", minInterval: 1 },
    series: plottedStages.map((stage, index) => ({
      type: "line" as const,
      name: stageLabels[stage],
      // The symbols distinguish the lines without colour.
      symbol: ["circle", "rect", "triangle"][index],
      symbolSize: 9,
      data: mondays.map((monday) => countOf(byMonday.get(monday), stage)),
    })),
  };
  return draw(
    option,
    { width, height: 300 },
    "The people invited each week, and how many of them opened their link and submitted. The table below has the numbers.",
  );
}

interface FigureTable {
  caption: string;
  headings: string[];
  rows: string[][];
}

/** The tables of all applications together, and those by week. */
export function figureTables([whole, ...weeks]: Figures[]): { ofAll: FigureTable[]; byWeek: FigureTable[] } {
  if (!whole) return { ofAll: [], byWeek: [] };
  const { brand } = currentSettings();
  const stageNames = whole.stages.map(({ stage }) => stageLabels[stage]);
  return {
    ofAll: [
      { caption: "Stages", headings: funnelHeadings, rows: funnelRows(whole) },
      { caption: "Amounts", headings: amountHeadings, rows: amountRows(whole, brand) },
    ],
    byWeek: [
      { caption: "Weeks", headings: ["Monday", ...stageNames, "Bounced", "Opted out"], rows: weeks.map(groupCells) },
      {
        caption: "Amounts by week",
        headings: ["Monday", ...groupAmountHeadings],
        rows: weeks.map((week) => groupAmountCells(week, brand)),
      },
    ],
  };
}

function htmlTable({ caption, headings, rows }: FigureTable): Html {
  const head = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  const body = rows.map(
    ([first = "", ...cells]) =>
      html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
  );
  return html`<table>\n<caption>${caption}</caption>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}</tbody>\n</table>`;
}

/** The name of a group, the count of each stage, and the counts of those who bounced or opted out. */
export const groupCells = ({ group, stages, bounced, optedOut }: Figures) =>
  [group, ...stages.map(({ count }) => count), bounced, optedOut].map(String);

/** A single file that loads nothing else and runs no script. `figures` are grouped by week, with the totals first. */
export function figuresPage(
  { figures, countedAt }: CountedFigures,
  { batch, since }: { batch?: string; since?: string } = {},
): string {
  const [whole, ...weeks] = figures;
  if (!whole) return "";
  const { brand } = currentSettings();
  const scope = [batch && `batch ${batch}`, since && `invited since ${since}`].filter(Boolean).join(", ");
  const { ofAll, byWeek } = figureTables([whole, ...weeks]);
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${brand.name}: figures</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #1a1a1a; background: #fff; }
figure { margin: 1em 0; overflow-x: auto; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
caption { text-align: left; font-weight: bold; padding: 0.5em 0; }
th, td { border-bottom: 1px solid #bbb; padding: 0.3em 0.8em 0.3em 0; text-align: right; white-space: nowrap; }
th:first-child { text-align: left; }
thead th { white-space: normal; vertical-align: bottom; }
@media print { body { font-size: 12px; } }
</style>
<h1>Applications for ${brand.product}</h1>
<p>As of ${formatToMinute(countedAt, brand)}${scope ? `; ${scope}` : ""}. ${bouncesAndOptOuts(whole)}</p>
<h2>From invitation to decision</h2>
${figure(funnelChart(whole))}
${ofAll.map(htmlTable)}
<h2>By week of invitation</h2>
${figure(weeklyChart(weeks))}
${byWeek.map(htmlTable)}
</html>
`.markup;
}
