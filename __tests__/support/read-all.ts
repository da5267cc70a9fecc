/** Everything that a generator yields: Node 20 has no Array.fromAsync. */
export async function readAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
