import type { ElementHandle } from "@playwright/test";
import { startBrowser } from "@/__tests__/support/processes/browser";
import type { Command, Engine } from "./engine";

/** As WebDriver names an element in JSON. */
const elementKey = "element-6066-11e4-a52e-4f735466cecf";

async function start() {
  const browser = await startBrowser();
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 1024 } })).newPage();
  const elements = new Map<string, ElementHandle>();
  const given = (one: unknown) => elements.get((one as Record<string, string> | null)?.[elementKey] ?? "") ?? one;

  async function run(script: string, args: unknown[]): Promise<unknown> {
    const body = new Function("args", `return (function () { ${script} }).apply(null, args)`);
    const result = await page.evaluateHandle(body as (args: unknown) => unknown, args.map(given));
    const element = result.asElement();
    if (!element) return result.jsonValue();
    const id = String(elements.size);
    elements.set(id, element);
    return { [elementKey]: id };
  }

  async function send({ name, parameters = {}, element }: Command): Promise<unknown> {
    const on = elements.get(element ?? "");
    const { url, script, args, text, actions } = parameters as Record<string, string> & {
      args: unknown[];
      actions: { actions: { type: string; value: string }[] }[];
    };
    if (name === "url") return page.goto(url ?? "").then(() => null);
    if (name === "back") return page.goBack().then(() => null);
    if (name === "execute/sync") return run(script ?? "", args);
    if (name === "element/click") return on?.click();
    if (name === "element/value") return page.keyboard.type(text ?? "");
    for (const { type, value } of actions[0]?.actions ?? []) if (type === "keyDown") await page.keyboard.press(value);
  }

  return { send, end: () => browser.close() };
}

/** The one of the journeys: it comes with the packages. Playwright drives it. */
export const chromium: Engine = { name: "Chromium", files: [], start };
