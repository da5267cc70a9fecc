import { format } from "node:util";

/** The levels of pino, whose lines the rest of the log consists of (http/log.ts). */
const levels = { debug: 20, log: 30, info: 30, warn: 40, error: 50 };

/**
 * Makes every line of this process JSON: what Next and Node print, and the sentences of the start. They are printed whatever
 * LOG_LEVEL is, because most say why a process cannot start. Plain JavaScript for server.mjs.
 */
export function logConsoleAsJson() {
  const write = (level, message) => {
    const stream = level < levels.warn ? process.stdout : process.stderr;
    stream.write(`${JSON.stringify({ level, time: new Date().toISOString(), message })}\n`);
  };
  for (const [method, level] of Object.entries(levels)) console[method] = (...parts) => write(level, format(...parts));
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => write(levels.warn, `${name}: ${message}`));
  process.on("uncaughtException", (error) => {
    write(levels.error, format(error));
    process.exit(1);
  });
}

/** Reports what an operator has to know, as a sentence or, where the console is replaced, as a line of JSON. */
export function printError(message) {
  // biome-ignore lint/suspicious/noConsole: whoever runs this process may have replaced the console, in another bundle of Next.
  console.error(message);
}
