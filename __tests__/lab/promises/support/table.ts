const row = /^\| (\d+) \| (.*) \| (\S+) \|$/gm;

/** Returns the table with these figures, measured on `day`, which replace older ones of the same promises. */
export function tableWith(table: string, figures: Map<number, string>, day: string): string {
  const rows = new Map(Array.from(table.matchAll(row), ([line, number]) => [Number(number), line]));
  for (const [number, text] of figures) rows.set(number, `| ${number} | ${text} | ${day} |`);
  const lines = [...rows].sort(([a], [b]) => a - b).map(([, line]) => line);
  return ["| | promise and figure | measured |", "|---|---|---|", ...lines].join("\n");
}
