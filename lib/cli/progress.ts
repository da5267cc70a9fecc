const width = 30;

/** Draws how far a command has come, on a terminal only. */
export function progress(total: number): (done: number) => void {
  if (!process.stderr.isTTY) return () => {};
  return (done) => {
    const filled = Math.round((done / total) * width);
    const bar = "█".repeat(filled) + "░".repeat(width - filled);
    process.stderr.write(
      `\r${bar} ${done.toLocaleString("en")} of ${total.toLocaleString("en")}${done === total ? "\n" : ""}`,
    );
  };
}
