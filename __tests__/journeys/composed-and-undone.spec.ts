import { expect, type Locator, type Page } from "@playwright/test";
import { back, field, fillStep, heading, next } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";
import { type AnswerStep, steps } from "@/lib/domain/journey";

/** Composes text as an input method does for handwriting or speech. The composition does not end. */
async function compose(page: Page, into: Locator, text: string): Promise<void> {
  await into.fill("");
  await into.focus();
  const devTools = await page.context().newCDPSession(page);
  for (let end = 1; end <= text.length; end += 1)
    await devTools.send("Input.imeSetComposition", {
      text: text.slice(0, end),
      selectionStart: end,
      selectionEnd: end,
    });
}

const composed: [AnswerStep, string, string, string][] = [
  [1, "Full name", "Ada", "Ada"],
  [2, "Agent mobile", "0298765431", "2 9876 5431"],
  [3, "Current weekly rent", "700", "700"],
  [3, "Repair costs", "1,250", "1250"],
];

for (const [step, name, text, kept] of composed)
  test(`text that is still composed in '${name}' is kept by Back, by a reload and by Next`, async ({ page }) => {
    await openAt(page, (step - 1) as 0 | AnswerStep, `/home?step=${step}`);
    await fillStep(page, step);
    if (step > 1) {
      await compose(page, field(page, name), text);
      await back(page);
      await expect(heading(page, steps[(step - 1) as AnswerStep].heading)).toBeVisible();
      await next(page);
      await expect(field(page, name)).toHaveValue(kept);
      await field(page, name).fill("");
    }
    await compose(page, field(page, name), text);
    await page.reload();
    await expect(field(page, name)).toHaveValue(kept);
    await compose(page, field(page, name), text);
    await next(page);
    await expect(heading(page, steps[(step + 1) as AnswerStep].heading)).toBeVisible();
    await back(page);
    await expect(field(page, name)).toHaveValue(kept);
  });

const rewritten: [AnswerStep, string, string, string][] = [
  [1, "Last name", "Nguyen", "van\u200b\tDyk"],
  [1, "Email address", "ada@example.com", "ada@exämple.com"],
  [2, "Agent mobile", "0298765432", "(02) 9876-5431 x"],
  [3, "Current weekly rent", "500", "$650 pw"],
  [3, "Loan amount", "500", "60000"],
  [3, "Extra funds", "2,500", "1e3"],
];

for (const [step, name, typed, inserted] of rewritten)
  test(`undo and redo in '${name}' show only texts that it has had`, async ({ page }) => {
    await openAt(page, (step - 1) as 0 | AnswerStep, `/home?step=${step}`);
    const input = field(page, name);
    await input.focus();
    const had: string[] = [await input.inputValue()];
    const note = async () => had.push(await input.inputValue());
    await page.keyboard.press("ControlOrMeta+A");
    for (const key of typed) {
      await page.keyboard.type(key);
      await note();
    }
    await page.keyboard.press("Tab");
    await note();
    await input.focus();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(inserted);
    await note();
    await page.keyboard.press("x");
    await note();
    for (const keys of ["Z", "Z", "Shift+Z", "Shift+Z", "Z", "Z", "Z", "Shift+Z"]) {
      await page.keyboard.press(`ControlOrMeta+${keys}`);
      expect(had, keys).toContain(await input.inputValue());
    }
    await page.keyboard.press("Tab");
    await note();
    await page.keyboard.press("ControlOrMeta+Z");
    expect(had).toContain(await input.inputValue());
  });
