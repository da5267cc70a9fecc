import type { Stage } from "@/lib/server/applications/figures";

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

export const percent = (rate: number | null) => (rate === null ? "–" : `${(rate * 100).toFixed(1)} %`);

/** In the largest unit that leaves two digits or more. */
export function duration(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
