/** The sections, each with the number of its first promise. */
const sections: [first: number, title: string][] = [
  [1, "Nothing lost, nothing twice"],
  [11, "No way in"],
  [17, "Nothing disclosed"],
  [21, "Bad input gets a clear answer"],
  [25, "Bad days"],
  [27, "Evidence"],
  [32, "Links and devices"],
  [37, "Walls"],
  [41, "Messages"],
  [55, "Deploys and engines"],
  [63, "Concurrency"],
  [67, "Tamper evidence"],
  [73, "Operations"],
];

const row = /^\| (\d+) \| (.*) \| (\S+) \|$/gm;

/** Returns the table with these figures, measured on `day`, which replace older ones of the same promises. */
export function tableWith(table: string, figures: Map<number, string>, day: string): string {
  const rows = new Map(Array.from(table.matchAll(row), ([line, number]) => [Number(number), line]));
  for (const [number, text] of figures) rows.set(number, `| ${number} | ${text} | ${day} |`);
  const lines = sections.flatMap(([first, title], n) => {
    const next = sections[n + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const sectionRows = [...rows].filter(([number]) => number >= first && number < next).sort(([a], [b]) => a - b);
    return sectionRows.length === 0 ? [] : [`| | **${title}** | |`, ...sectionRows.map(([, line]) => line)];
  });
  return ["| | promise and figure | measured |", "|---|---|---|", ...lines].join("\n");
}
