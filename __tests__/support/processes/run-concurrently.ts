/** Runs `count` tasks, `atOnce` at a time. Returns their results in order. */
export async function runConcurrently<T>(count: number, atOnce: number, task: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) results[n] = await task(n);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return results;
}
