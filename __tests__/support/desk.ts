import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";

/** The desk's address. Read when it is used, because Playwright reads test files before the desk runs. */
export const deskUrl = () => process.env.DESK_URL ?? "";

/** Signs in at the provider of the tests as a clerk (Casey) or an approver (Robin). */
export async function signIn(page: Page, person: "Casey" | "Robin", path = "/desk", desk = deskUrl()): Promise<void> {
  await page.goto(`${desk}${path}`);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("link", { name: new RegExp(person) }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
}

export interface DeskAction {
  /** Next's id of the action in this build. */
  id: string;
  name: string;
  right: string;
  /** A page that has the action: '/desk/[reference]'. */
  page: string;
}

/** Every action of the desk's build that deskAction guards, with the right that its source names. */
export function deskActions(): DeskAction[] {
  const manifest = JSON.parse(readFileSync(".next-desk/server/server-reference-manifest.json", "utf8"));
  const actions = Object.entries<{ filename: string; exportedName: string; workers: object }>(manifest.node);
  return actions.flatMap(([id, { filename, exportedName: name, workers }]) => {
    const [page = ""] = Object.keys(workers).map((worker) => worker.replace(/^app|\/page$/g, ""));
    const source = readFileSync(filename, "utf8");
    const right = new RegExp(`export const ${name} = deskAction(?:<\\w+>)?\\(\\s*"([\\w-]+)"`).exec(source)?.[1];
    return right ? [{ id, name, right, page }] : [];
  });
}

/** Every action of the desk's build that nothing guards by a right. */
export function unguardedActions(): string[] {
  const manifest = JSON.parse(readFileSync(".next-desk/server/server-reference-manifest.json", "utf8"));
  const guarded = new Set(deskActions().map(({ id }) => id));
  const actions = Object.entries<{ exportedName: string }>(manifest.node);
  return actions.flatMap(([id, { exportedName }]) => (guarded.has(id) ? [] : [exportedName])).sort();
}

/** The cookies of a browser, as a header. */
export const cookiesOf = async (page: Page) =>
  (await page.context().cookies(deskUrl())).map(({ name, value }) => `${name}=${value}`).join("; ");

/** Sends what Next's own script would send for a form of an action. Returns what was done, or why not. */
export async function callAction(
  { id, page }: DeskAction,
  fields: Record<string, string>,
  headers: Record<string, string>,
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(`_1_${name}`, value);
  // The arguments come last: the server reads the fields that have arrived before them.
  form.set("0", '[null,"$K1"]');
  const path = page.replace("[reference]", fields.reference ?? "").replace("[status]", "approved");
  const init = { method: "POST", redirect: "manual", headers: { "next-action": id, ...headers }, body: form } as const;
  const response = await fetch(`${deskUrl()}${path}`, init);
  const text = await response.text();
  const said = (name: string) => JSON.parse(new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1] ?? "null");
  const done: string | null = response.headers.has("x-action-redirect") ? "redirected" : said("done");
  return { status: response.status, done, refused: said("refused") as string | null, text };
}
