/** Returns everything that a generator yields, because Node 20 lacks Array.fromAsync. */
export async function readAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
