import { setTimeout as sleep } from "node:timers/promises";
import { byStep } from "@/__tests__/support/answers";
import { answers, isAsked, labelOf, namesOf, type SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep, steps } from "@/lib/domain/journey";
import type { Session } from "./drivers";
import type { Line } from "./line";

/** As WebDriver writes an element. */
type Element = Record<string, string>;

/** Given by the invitation, and worked out. */
const left: SavedAnswer[] = ["mobile", "loanAmount"];

const inPage = {
  /** By what a person reads on it. */
  control: `return [...document.querySelectorAll("a, button")].find((one) => one.textContent.trim() === arguments[0])`,
  field: `return [...document.querySelectorAll("label")].find((one) => one.textContent === arguments[0])?.control`,
  sees: `return document.body.innerText.includes(arguments[0])`,
  // What a picker does: WebDriver types into a date's parts, whose order is the language's.
  pick: `const [input, date] = arguments;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, date);
    input.dispatchEvent(new Event("input", { bubbles: true }))`,
};

/** A landlord's browser, in words of the product. Each word waits until it comes true. */
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
      // While a page changes, its scripts cannot be asked.
      const found = await look().catch((error) => {
        last = error;
        return null;
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

  /** Opens a path; what is seen then. */
  async open(path: string, ...seen: string[]): Promise<void> {
    await this.session.send("url", { url: this.line.url + path });
    await this.sees(...seen);
  }

  /** Presses what has this label; what is seen then. */
  async press(label: string, ...seen: string[]): Promise<void> {
    await this.click(await this.until(`'${label}'`, () => this.run<Element>(inPage.control, label)));
    await this.sees(...seen);
  }

  back = () => this.session.send("back");
  isAt = (path: string) => this.until(path, () => this.run<boolean>("return location.pathname === arguments[0]", path));
  field = (label: string) => this.until(label, () => this.run<Element>(inPage.field, label));
  valueOf = async (label: string) => this.run<string>("return arguments[0].value", await this.field(label));
  pick = async (label: string, date: string) => this.run(inPage.pick, await this.field(label), date);

  /** Without a gesture on a page, browsers let Back leave what its scripts pushed. */
  touch = async () => this.click(await this.run<Element>("return document.querySelector('h1')"));

  /** Key by key, in place of what is there; into the first part of a date. */
  async type(label: string, text: string): Promise<void> {
    await this.run("arguments[0].focus(); arguments[0].select?.()", await this.field(label));
    const keys = [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value })));
    await this.session.send("actions", { actions: [{ type: "key", id: "keys", actions: keys }] });
  }

  async fillStep(step: AnswerStep, source = ""): Promise<void> {
    await this.sees(steps[step].heading);
    const given = byStep[step] as Record<string, string>;
    for (const name of namesOf(step) as SavedAnswer[]) {
      const value = given[name];
      if (!value || !isAsked(name, source) || left.includes(name)) continue;
      await (answers[name].kind === "date" ? this.pick : this.type.bind(this))(labelOf(name, source), value);
    }
  }

  /** Fills in every step, to the review. */
  async fillAll(source = ""): Promise<void> {
    for (const step of answerSteps) {
      await this.fillStep(step, source);
      await this.press("Next");
    }
    await this.sees(steps[reviewStep].heading);
  }

  async hasNoErrors(): Promise<void> {
    // What a page reports is sent beside everything else.
    await sleep(100);
    if (this.line.errors.length > 0) throw new Error(`A console would show in red: ${this.line.errors.join("; ")}`);
  }
}
