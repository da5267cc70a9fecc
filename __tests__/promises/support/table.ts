/** The number of each section's first promise. */
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

/** The figures of promises, each section below its title. */
export function tableOf(figures: Map<number, string>): string {
  const lines = sections.flatMap(([first, title], n) => {
    const next = sections[n + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const own = [...figures].filter(([number]) => number >= first && number < next).sort(([a], [b]) => a - b);
    return own.length === 0 ? [] : [`| | **${title}** |`, ...own.map(([number, text]) => `| ${number} | ${text} |`)];
  });
  return ["| | promise and figure |", "|---|---|", ...lines].join("\n");
}
