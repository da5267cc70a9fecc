import type { Figures, Stage } from "./figures";

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
