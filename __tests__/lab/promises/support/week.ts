import { readFileSync } from "node:fs";
import { runLine, type Shell } from "@/__tests__/support/run-line";
import { Broken, expect } from "./expect";

const startTimeoutMs = 60_000;

export interface Expectation {
  /** The placeholders in the page's line, each with the value that replaces it. */
  replace?: Record<string, string>;
  /** A pattern that the output must match. */
  prints?: RegExp;
  code?: number;
}

/** Replaces placeholders. Throws if the line lacks one, except for those such as <owner>, of which each line uses only some. */
function inPlace(line: string, replace: Record<string, string> = {}): string {
  return Object.entries(replace).reduce((text, [words, value]) => {
    expect(words.startsWith("<") || text.includes(words), `'${line}' has no '${words}'`);
    return text.replaceAll(words, value);
  }, line);
}

const flat = (text: string) => text.replace(/\s+/g, " ");

/** Runs the steps that documents describe, and counts them. */
export class Week {
  steps = 0;
  private texts = new Map<string, string>();

  /** Throws if the page does not contain these words. */
  private requireOn(page: string, words: string): void {
    const text = this.texts.get(page) ?? flat(readFileSync(page, "utf8"));
    this.texts.set(page, text);
    expect(text.includes(flat(words)), `${page} does not say: ${words}`);
  }

  /** Runs a line of a page as one step, and returns what it printed. */
  async run(
    shell: Shell,
    page: string,
    line: string,
    { replace, prints, code = 0 }: Expectation = {},
  ): Promise<string> {
    this.requireOn(page, line);
    // Whoever forgets npm's dashes is told so, and nothing happens. npm reads --csv as -c -s -v and prints its own version.
    const forgetful = line.replace(/(npm run (?:--silent )?\S+) -- (?=.*--\w)/, "$1 ");
    if (forgetful !== line) {
      const { code: refusal, output } = await runLine(inPlace(forgetful, replace), shell);
      const isRefused = refusal === 2 || output.includes("Nothing was done. npm took");
      if (!isRefused && !/^\d+\.\d+\.\d+\s*$/.test(output))
        throw this.failure(page, forgetful, `ended with ${refusal} and said ${output.slice(-1500)}`);
    }
    const result = await runLine(inPlace(line, replace), shell);
    const isAsExpected = result.code === code && (!prints || prints.test(result.output));
    if (!isAsExpected)
      throw this.failure(page, line, `ended with ${result.code} and said ${result.output.slice(-1500)}`);
    this.steps += 1;
    return result.output;
  }

  private failure(page: string, words: string, what: string): Broken {
    return new Broken(`step ${this.steps + 1}, ${page}, '${words}': ${what}`);
  }

  /** Starts a long-running command of a page as one step. Returns a function that ends it. */
  async start(
    shell: Shell,
    page: string,
    line: string,
    { replace, isUp }: { replace?: Record<string, string>; isUp: (output: string) => boolean | Promise<boolean> },
  ): Promise<() => Promise<void>> {
    this.requireOn(page, line);
    let [isRunning, isOver] = [false, false];
    let up: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      up = resolve;
    });
    const begun = performance.now();
    const ended = runLine(inPlace(line, replace), shell, async (output) => {
      isRunning ||= await isUp(output);
      if (isRunning) up();
      return isOver || (!isRunning && performance.now() - begun > startTimeoutMs);
    });
    const stopped = ended.then(({ code, output }) => {
      if (!isOver) throw this.failure(page, line, `ended with ${code} and said ${output.slice(-1500)}`);
    });
    await Promise.race([started, stopped]);
    this.steps += 1;
    return async () => {
      isOver = true;
      await stopped;
    };
  }

  /** Performs one step that a page asks people to do, or to check, without a command. */
  async check(page: string, words: string, holds: () => unknown): Promise<void> {
    this.requireOn(page, words);
    try {
      expect((await holds()) !== false, "that is not so");
    } catch (error) {
      throw this.failure(page, words, (error as Error).message);
    }
    this.steps += 1;
  }
}
