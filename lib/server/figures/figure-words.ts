import { centsOf, formatCents, type MoneyStyle } from "@/lib/domain/money";
import { statuses } from "@/lib/domain/statuses";
import type { AmountName, Figures, Stage } from "./figures";

export const stageLabels: Record<Stage, string> = {
  invited: "Invited",
  sent: "Sent",
  opened: "Opened",
  step1: "Step 1 saved",
  step2: "Step 2 saved",
  step3: "Step 3 saved",
  reviewed: "At the review",
  submitted: "Submitted",
  decided: "Decided",
};

export const percent = (rate: number | null) => (rate === null ? "–" : `${(rate * 100).toFixed(1)}%`);

/** Writes a duration in the largest unit of which there are at least two. */
function duration(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

export const funnelHeadings = [
  "Stage",
  "Number",
  "Of invited",
  "Of previous stage",
  "Median time from previous stage",
  "Went no further",
];

export const funnelRows = ({ stages }: Figures): string[][] =>
  stages.map((row) => [
    ...[stageLabels[row.stage], String(row.count), percent(row.ofInvited), percent(row.ofBefore)],
    ...[duration(row.medianSeconds), String(row.stopped)],
  ]);

export const bouncesAndOptOuts = ({ bounced, optedOut }: Figures) => `Bounced: ${bounced}. Opted out: ${optedOut}.`;

export const amountHeadings = ["Rental advances", "Number", "Total", "Median"];

const amountLabel = (name: AmountName) => (name === "asked" ? "Asked for" : statuses[name].name);
const written = (amount: string | null, style: MoneyStyle) =>
  amount === null ? "–" : formatCents(centsOf(amount), style, true);

export const amountRows = ({ amounts }: Figures, style: MoneyStyle): string[][] =>
  amounts.map(({ name, count, total, median }) => [
    amountLabel(name),
    String(count),
    written(total, style),
    written(median, style),
  ]);

/** Of each group: the total and the median of what was asked for, approved and declined. */
const grouped: AmountName[] = ["asked", "approved", "declined"];
export const groupAmountHeadings = grouped.flatMap((name) => [amountLabel(name), "Median"]);
export const groupAmountCells = ({ group, amounts }: Figures, style: MoneyStyle): string[] => [
  group,
  ...amounts
    .filter(({ name }) => grouped.includes(name))
    .flatMap(({ total, median }) => [written(total, style), written(median, style)]),
];
