import { readFileSync } from "node:fs";
import { runLine } from "@/__tests__/support/run-line";
import { Broken, expect } from "./expect";

const patienceMs = 60_000;

/** Where commands of one person run: what stands in front of each, and by whom. */
export interface Desk {
  folder: string;
  env: Record<string, string>;
  as?: string[];
}

export interface Asked {
  /** What stands in the line of the page in place of something of the lender's own. */
  put?: Record<string, string>;
  /** What has to be among what it prints. */
  says?: RegExp;
  code?: number;
}

/** Throws if the line lacks a word that is to be replaced. Placeholders such as <owner> are exempt: each line uses only some. */
function inPlace(line: string, put: Record<string, string> = {}): string {
  return Object.entries(put).reduce((text, [words, own]) => {
    expect(words.startsWith("<") || text.includes(words), `'${line}' has no '${words}'`);
    return text.replaceAll(words, own);
  }, line);
}

const flat = (text: string) => text.replace(/\s+/g, " ");

/** Steps that documents describe, played one after the other and counted. */
export class Week {
  steps = 0;
  private texts = new Map<string, string>();

  /** Throws if the page says something else by now. */
  private requireOn(page: string, words: string): void {
    const text = this.texts.get(page) ?? flat(readFileSync(page, "utf8"));
    this.texts.set(page, text);
    expect(text.includes(flat(words)), `${page} does not say: ${words}`);
  }

  /** Runs a line of a page as one step, and returns what it printed. */
  async run(desk: Desk, page: string, line: string, { put, says, code = 0 }: Asked = {}): Promise<string> {
    this.requireOn(page, line);
    const ran = await runLine(inPlace(line, put), desk);
    const isAsExpected = ran.code === code && (!says || says.test(ran.output));
    if (!isAsExpected) throw this.failure(page, line, `ended with ${ran.code} and said ${ran.output.slice(-1500)}`);
    this.steps += 1;
    return ran.output;
  }

  private failure(page: string, words: string, what: string): Broken {
    return new Broken(`step ${this.steps + 1}, ${page}, '${words}': ${what}`);
  }

  /** Starts a command of a page that goes on, as one step; returns what ends it. */
  async start(
    desk: Desk,
    page: string,
    line: string,
    { put, isUp }: { put?: Record<string, string>; isUp: (output: string) => boolean | Promise<boolean> },
  ): Promise<() => Promise<void>> {
    this.requireOn(page, line);
    let [isRunning, isOver] = [false, false];
    let up: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      up = resolve;
    });
    const begun = performance.now();
    const ended = runLine(inPlace(line, put), desk, async (output) => {
      isRunning ||= await isUp(output);
      if (isRunning) up();
      return isOver || (!isRunning && performance.now() - begun > patienceMs);
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

  /** Something that a page asks people to do or to check without a command: one step. */
  async look(page: string, words: string, check: () => unknown): Promise<void> {
    this.requireOn(page, words);
    try {
      expect((await check()) !== false, "that is not so");
    } catch (error) {
      throw this.failure(page, words, (error as Error).message);
    }
    this.steps += 1;
  }
}
