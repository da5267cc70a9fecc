/** Calls `end` before the process exits on SIGINT, SIGTERM or an uncaught exception. */
export function cleanUpOnTermination(end: () => Promise<void>): void {
  const leave = (error?: Error) => {
    if (error?.stack) console.error(error.stack);
    end().finally(() => process.exit(1));
  };
  process.once("uncaughtException", leave);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => leave());
}
