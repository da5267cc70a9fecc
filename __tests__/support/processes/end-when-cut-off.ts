/** Leaves nothing running when a run is interrupted, or fails where nobody catches it. */
export function endWhenCutOff(end: () => Promise<void>): void {
  const leave = (error?: Error) => {
    if (error?.stack) console.error(error.stack);
    end().finally(() => process.exit(1));
  };
  process.once("uncaughtException", leave);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => leave());
}
