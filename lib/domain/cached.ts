/** Calls `make` once for each set of arguments. Creating an Intl formatter costs a hundred times as much as using it. */
export function cached<A extends unknown[], T>(make: (...args: A) => T): (...args: A) => T {
  const results = new Map<string, T>();
  return (...args) => {
    const key = JSON.stringify(args);
    const result = results.get(key) ?? make(...args);
    results.set(key, result);
    return result;
  };
}
