/** Request timeout of the specification (section 9). */
export const timeoutMilliseconds = 100_000;

/** As AbortSignal.timeout, which Safari has since 16 and Chrome since 103. */
export function timeLimit(): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), timeoutMilliseconds);
  return limit.signal;
}
