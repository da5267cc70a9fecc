import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { byStep } from "@/__tests__/support/answers";
import { answers, isAsked, labelOf, namesOf, type SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep, steps } from "@/lib/domain/journey";
import type { Session } from "./engine";
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
    return (await this.session.send({ name: "execute/sync", parameters: { script, args } })) as T;
  }

  private async until<T>(what: string, look: () => Promise<T>): Promise<NonNullable<T>> {
    const deadline = Date.now() + 60_000;
    let last: unknown;
    while (Date.now() < deadline) {
      // While a page changes, its scripts cannot be asked.
      const found = await look().catch((error) => {
        last = error;
        return null;
      });
      if (found) return found;
      await sleep(50);
    }
    const page = await this.run<string>("return location.href + ' ' + document.body.innerText").catch(String);
    throw new Error(`${what} did not come (${last ?? "looked for in vain"}): ${page.replaceAll("\n", " ")}`);
  }

  private act(name: "element/click" | "element/value", on: Element, parameters = {}) {
    return this.session.send({ name, element: Object.values(on)[0], parameters });
  }

  /** A path, or a whole link: either through this browser's line. */
  async open(address: string): Promise<void> {
    const { pathname, search } = new URL(address, this.line.url);
    await this.session.send({ name: "url", parameters: { url: this.line.url + pathname + search } });
  }

  back = () => this.session.send({ name: "back" });
  sees = (text: string) => this.until(`'${text}'`, () => this.run<boolean>(inPage.sees, text));
  isAt = (path: string) => this.until(path, () => this.run<boolean>("return location.pathname === arguments[0]", path));
  field = (label: string) => this.until(label, () => this.run<Element>(inPage.field, label));
  valueOf = async (label: string) => this.run<string>("return arguments[0].value", await this.field(label));

  async press(label: string): Promise<void> {
    const control = await this.until(`'${label}'`, () => this.run<Element>(inPage.control, label));
    await this.act("element/click", control);
  }

  /** Without a gesture on a page, browsers let Back leave what its scripts pushed. */
  touch = async () => this.act("element/click", await this.run<Element>("return document.querySelector('h1')"));

  async type(label: string, text: string): Promise<void> {
    await this.run(`arguments[0].focus(); arguments[0].select()`, await this.field(label));
    await this.act("element/value", await this.field(label), { text });
  }

  async pick(label: string, date: string): Promise<void> {
    await this.run(inPage.pick, await this.field(label), date);
  }

  /** Key by key, into the part that has the focus. */
  async typeInParts(label: string, text: string): Promise<void> {
    await this.run("arguments[0].focus()", await this.field(label));
    const keys = [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value })));
    await this.session.send({ name: "actions", parameters: { actions: [{ type: "key", id: "keys", actions: keys }] } });
  }

  async fillStep(step: AnswerStep, source = ""): Promise<void> {
    await this.sees(steps[step].heading);
    const given = byStep[step] as Record<string, string>;
    const names = (namesOf(step) as SavedAnswer[]).filter(
      (name) => isAsked(name, source) && !left.includes(name) && given[name],
    );
    for (const name of names) {
      const { kind } = answers[name];
      const label = labelOf(name, source);
      if (kind === "date") await this.pick(label, given[name] as string);
      else await this.type(label, given[name] as string);
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
    assert.deepEqual(this.line.heard, [], "what a console would show in red");
  }
}
