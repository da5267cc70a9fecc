import { setTimeout as sleep } from "node:timers/promises";
import { test as base, expect } from "@playwright/test";
import { wholeApplication } from "@/__tests__/support/answers";
import { deskUrl } from "@/__tests__/support/desk";
import { filledIn } from "@/__tests__/support/fill-in";
import { answers, labelOf } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep, steps } from "@/lib/domain/journey";
import { type Session, startFirefox, startWebkit } from "./drivers";
import { type Line, openLine } from "./line";

/** An element as WebDriver represents it. */
type Element = Record<string, string>;

const inPage = {
  /** Finds a control by its text, if it is shown. */
  control: `return [...document.querySelectorAll("a, button")].find((one) => one.textContent.trim() === arguments[0] && one.getClientRects().length > 0)`,
  field: `return [...document.querySelectorAll("label")].find((one) => one.textContent === arguments[0])?.control`,
  sees: `return document.body.innerText.includes(arguments[0])`,
  // Sets a date as a picker does. WebDriver types into the parts of a date, whose order depends on the language.
  pick: `const [input, date] = arguments;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, date);
    input.dispatchEvent(new Event("input", { bubbles: true }))`,
};

/** A landlord's browser, in the app's terms. Methods wait until what they look for appears. */
export class Browser {
  constructor(
    private readonly session: Session,
    readonly line: Line,
  ) {}

  async run<T>(script: string, ...args: unknown[]): Promise<T> {
    return (await this.session.send("execute/sync", { script, args })) as T;
  }

  /** Resolves with what the script returns for this text, once it returns something. */
  private async until<T>(script: string, text: string): Promise<T> {
    let found: T | undefined;
    // Scripts cannot run while the browser changes to another page.
    await expect(async () => {
      found = await this.run<T>(script, text);
      expect(found, `${text} did not come`).toBeTruthy();
    }).toPass();
    return found as T;
  }

  private async click(element: Element): Promise<void> {
    // WebKit's driver does not scroll to every control.
    await this.run('arguments[0].scrollIntoView({ block: "center", behavior: "instant" })', element);
    await this.session.send("element/click", {}, Object.values(element)[0]);
  }

  async sees(...texts: string[]): Promise<void> {
    for (const text of texts) await this.until(inPage.sees, text);
  }

  /** Opens a link or path and waits until the page shows the texts in `seen`. */
  async open(link: string, ...seen: string[]): Promise<void> {
    const { pathname, search } = new URL(link, this.line.url);
    await this.session.send("url", { url: this.line.url + pathname + search });
    await this.sees(...seen);
  }

  /** Presses the control with this label and waits until the page shows the texts in `seen`. */
  async press(label: string, ...seen: string[]): Promise<void> {
    await this.click(await this.until<Element>(inPage.control, label));
    await this.sees(...seen);
  }

  back = () => this.session.send("back");
  isAt = (path: string) => this.until("return location.pathname === arguments[0]", path);
  field = (label: string) => this.until<Element>(inPage.field, label);
  valueOf = async (label: string) => this.run<string>("return arguments[0].value", await this.field(label));
  pick = async (label: string, date: string) => this.run(inPage.pick, await this.field(label), date);

  /** Makes a gesture on the page. Without one, Back skips the history entries that the page's scripts pushed. */
  touch = async () => this.click(await this.run<Element>("return document.querySelector('h1')"));

  /** Types key by key, replacing the present value. In a date field, typing begins in the first part. */
  type = async (label: string, text: string) => {
    await this.run("arguments[0].focus(); arguments[0].select?.()", await this.field(label));
    const keys = [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value })));
    return this.session.send("actions", { actions: [{ type: "key", id: "keys", actions: keys }] });
  };

  async fillStep(step: AnswerStep, source = ""): Promise<void> {
    await this.sees(steps[step].heading);
    for (const name of filledIn(step, source)) {
      const give = answers[name].kind === "date" ? this.pick : this.type;
      await give(labelOf(name, source), String(wholeApplication[name]));
    }
  }

  /** Fills in every step, up to the review. */
  async fillAll(source = ""): Promise<void> {
    for (const step of answerSteps) {
      await this.fillStep(step, source);
      await this.press("Next");
    }
    await this.sees(steps[reviewStep].heading);
  }
}

const startIn = (engine: string) => (engine === "WebKit" ? startWebkit() : startFirefox());

/** A journey with its own browser and line. Fails on any error in a console that the journey does not take out of `line.errors`. */
export const test = base.extend<{ landlord: Browser; staff: Browser }>({
  baseURL: process.env.APP_URL,
  landlord: async ({ baseURL }, use, { project, errors }) => {
    const line = await openLine(baseURL ?? "");
    const session = await startIn(project.name);
    const landlord = new Browser(session, line);
    await use(landlord);
    // Pages report errors asynchronously.
    await sleep(100);
    const page = "return location.href + ' ' + document.body.innerText";
    if (errors.length > 0) console.log(await landlord.run<string>(page).catch(String));
    await session.end();
    line.close();
    expect(line.errors, "what a console would show in red").toEqual([]);
  },
  // Without a line between: the desk refuses actions from another address than its own.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
  staff: async ({}, use, { project }) => {
    const line = await openLine(deskUrl());
    const session = await startIn(project.name);
    await use(new Browser(session, { ...line, url: deskUrl() }));
    await session.end();
    line.close();
  },
});
