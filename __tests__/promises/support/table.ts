/** A promise that held, with its figure. */
export interface Kept {
  number: number;
  measured: string;
}

/** The number of each section's first promise. */
const sections: [first: number, title: string][] = [
  [1, "Nothing lost, nothing twice"],
  [11, "No way in"],
  [17, "Nothing told"],
  [21, "Bad input gets a clear answer"],
  [25, "Bad days"],
  [27, "Evidence"],
  [32, "Links and devices"],
  [37, "Walls"],
  [41, "Messages"],
  [55, "Deploys and engines"],
  [63, "Concurrency"],
];

export function asMarkdown(kept: Kept[]): string {
  const lines = sections.flatMap(([first, title], n) => {
    const next = sections[n + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const own = kept.filter(({ number }) => number >= first && number < next);
    if (own.length === 0) return [];
    return [`| | **${title}** |`, ...own.map(({ number, measured }) => `| ${number} | ${measured} |`)];
  });
  return ["| | promise and figure |", "|---|---|", ...lines].join("\n");
}
