import { setTimeout as sleep } from "node:timers/promises";
import { byStep } from "@/__tests__/support/answers";
import { answers, isAskedFor, labelOf, namesOf, type SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep, steps } from "@/lib/domain/journey";
import type { Session } from "./drivers";
import type { Line } from "./line";

/** An element as WebDriver represents it. */
type Element = Record<string, string>;

/** Answers that nobody types: the invitation provides the mobile, and the loan amount is calculated. */
const notTyped: SavedAnswer[] = ["mobile", "loanAmount"];

const inPage = {
  /** Finds a control by its visible text. */
  control: `return [...document.querySelectorAll("a, button")].find((one) => one.textContent.trim() === arguments[0])`,
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

  private async until<T>(what: string, look: () => Promise<T>): Promise<NonNullable<T>> {
    let last: unknown = "looked for in vain";
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50)) {
      // Scripts cannot run while the browser changes to another page.
      const found = await look().catch((error) => {
        last = error;
      });
      if (found) return found;
    }
    const page = await this.run<string>("return location.href + ' ' + document.body.innerText").catch(String);
    throw new Error(`${what} did not come (${last}): ${page.replaceAll("\n", " ")}`);
  }

  private click = (element: Element) => this.session.send("element/click", {}, Object.values(element)[0]);

  async sees(...texts: string[]): Promise<void> {
    for (const text of texts) await this.until(`'${text}'`, () => this.run<boolean>(inPage.sees, text));
  }

  /** Opens a path and waits until the page shows the texts in `seen`. */
  async open(path: string, ...seen: string[]): Promise<void> {
    await this.session.send("url", { url: this.line.url + path });
    await this.sees(...seen);
  }

  /** Presses the control with this label and waits until the page shows the texts in `seen`. */
  async press(label: string, ...seen: string[]): Promise<void> {
    await this.click(await this.until(`'${label}'`, () => this.run<Element>(inPage.control, label)));
    await this.sees(...seen);
  }

  back = () => this.session.send("back");
  isAt = (path: string) => this.until(path, () => this.run<boolean>("return location.pathname === arguments[0]", path));
  field = (label: string) => this.until(label, () => this.run<Element>(inPage.field, label));
  valueOf = async (label: string) => this.run<string>("return arguments[0].value", await this.field(label));
  pick = async (label: string, date: string) => this.run(inPage.pick, await this.field(label), date);

  /** Makes a gesture on the page. Without one, Back skips the history entries that the page's scripts pushed. */
  touch = async () => this.click(await this.run<Element>("return document.querySelector('h1')"));

  /** Types key by key, replacing the present value. In a date field, typing begins in the first part. */
  async type(label: string, text: string): Promise<void> {
    await this.run("arguments[0].focus(); arguments[0].select?.()", await this.field(label));
    const keys = [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value })));
    await this.session.send("actions", { actions: [{ type: "key", id: "keys", actions: keys }] });
  }

  async fillStep(step: AnswerStep, source = ""): Promise<void> {
    await this.sees(steps[step].heading);
    const values = byStep[step] as Record<string, string>;
    for (const name of namesOf(step)) {
      const value = values[name];
      if (!value || !isAskedFor(name, source) || notTyped.includes(name)) continue;
      await (answers[name].kind === "date" ? this.pick : this.type.bind(this))(labelOf(name, source), value);
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

  async hasNoErrors(): Promise<void> {
    // Pages report errors asynchronously.
    await sleep(100);
    if (this.line.errors.length > 0) throw new Error(`A console would show in red: ${this.line.errors.join("; ")}`);
  }
}
