/** The text that `after` adds to `before`, in whole characters. A pressed key adds one. Pasting and autofill add several. */
export function addedText(before: string, after: string): string {
  const [old, now] = [[...before], [...after]];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return now.slice(start, now.length - end).join("");
}
