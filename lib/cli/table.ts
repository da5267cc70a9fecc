import { minuteIn } from "@/lib/domain/zone-time";
import { currentSettings } from "@/lib/server/settings";

/** To the minute, in BRAND_TIME_ZONE; empty where there is none. */
export function minute(instant: Date | string | null): string {
  return instant === null ? "" : minuteIn(new Date(instant), currentSettings().brand);
}

/** On a terminal columns under their headings, in a pipe plain lines with a tab between the cells. */
export function table(headings: string[], rows: string[][]): string {
  if (!process.stdout.isTTY) return rows.map((row) => row.join("\t")).join("\n");
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => all.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(headings), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].join("\n");
}
