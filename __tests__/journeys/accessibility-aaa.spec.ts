import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { heading, next } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { onEveryScreen } from "@/__tests__/support/screens";
import { invitedAtStage } from "@/__tests__/support/stages";

test("text has a contrast of 7 to 1, large text of 4.5 to 1 (WCAG 1.4.6)", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await onEveryScreen(page, async (screen) => {
    const { violations } = await new AxeBuilder({ page }).withRules(["color-contrast-enhanced"]).analyze();
    const found = violations.flatMap(({ nodes }) =>
      nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    );
    expect(found, screen).toEqual([]);
  });
});

test("what has the focus is seen whole (WCAG 2.4.12)", async ({ page }) => {
  const { link } = await invitedAtStage(3);
  await page.goto(link);
  for (const step of [1, 2, 3, 4]) {
    await page.goto(`/home?step=${step}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const seen: string[] = [];
    for (let stops = 0; stops < 60; stops += 1) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) return null;
        const { top, bottom, left, right } = focused.getBoundingClientRect();
        const isWhole = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
        const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const isFree =
          above !== null &&
          (focused.contains(above) || above.contains(focused) || focused.id === (above as HTMLLabelElement).htmlFor);
        return { what: focused.outerHTML.slice(0, 80), isWhole, isFree };
      });
      if (!stop) break;
      seen.push(stop.what);
      expect({ step, ...stop }).toMatchObject({ isWhole: true, isFree: true });
    }
    expect(seen.length).toBeGreaterThan(5);
  }
});

/** The ring of what has the focus: its width, its distance, and its contrast with what is around it. */
function focusRing(page: Page) {
  return page.evaluate(() => {
    const luminance = (color: string) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
      if (!canvas) throw new Error("There is no canvas");
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const focused = document.activeElement;
    if (!focused || focused === document.body) return null;
    // The browser draws the ring of the calendar button inside a date input.
    if (focused.matches("[type=date]:not(:focus-visible)")) return undefined;
    const ringed = [focused, focused.parentElement].find((one) => one && getComputedStyle(one).outlineStyle !== "none");
    if (!ringed) return { what: focused.outerHTML.slice(0, 80), width: 0, contrast: 0 };
    const { outlineWidth, outlineColor, outlineOffset } = getComputedStyle(ringed);
    let around = Number.parseFloat(outlineOffset) < 0 ? ringed : ringed.parentElement;
    while (around && /, 0\)$|^transparent$/.test(getComputedStyle(around).backgroundColor))
      around = around.parentElement;
    const tones = [outlineColor, around ? getComputedStyle(around).backgroundColor : "white"].map(luminance);
    const [darker = 0, lighter = 0] = tones.sort((one, other) => one - other);
    const contrast = (lighter + 0.05) / (darker + 0.05);
    return { what: focused.outerHTML.slice(0, 80), width: Number.parseFloat(outlineWidth), contrast };
  });
}

test("what has the focus has a ring of 2 px and a contrast of 3 to 1 around it (WCAG 2.4.13)", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  let rings = 0;
  await onEveryScreen(page, async (screen) => {
    for (let stops = 0; stops < 60; stops += 1) {
      await page.keyboard.press("Tab");
      const ring = await focusRing(page);
      if (ring === null) break;
      if (ring === undefined) continue;
      rings += 1;
      expect(ring.width, `${screen}: ${ring.what}`).toBeGreaterThanOrEqual(2);
      expect(ring.contrast, `${screen}: ${ring.what}`).toBeGreaterThanOrEqual(3);
    }
  });
  expect(rings).toBeGreaterThan(100);
});

test("what was typed is there a day later, in an open page and after a reload (WCAG 2.2.6)", async ({ page }) => {
  await page.clock.install();
  const { link } = await invitedAtStage(1);
  await page.goto(link);
  await page.goto("/home");
  await expect(heading(page, "Agency Details")).toBeVisible();
  const agency = page.getByLabel("Agency name", { exact: true });
  await agency.fill("Harbour & Hill");
  await page.clock.fastForward("25:00:00");
  await expect(agency).toHaveValue("Harbour & Hill");
  await page.reload();
  await expect(agency).toHaveValue("Harbour & Hill");
});

test("every screen says whom to ask, and every question what is asked (WCAG 3.3.5)", async ({ page }) => {
  await onEveryScreen(page, async (screen) => {
    await expect(page.locator("a[href^='tel:']:visible").first(), screen).toBeVisible();
    const unnamed = await page
      .locator("input:visible, select:visible, textarea:visible")
      .evaluateAll((fields) =>
        fields
          .filter((field) => !field.ariaLabel && !(field as HTMLInputElement).labels?.[0]?.textContent?.trim())
          .map((field) => field.outerHTML),
      );
    expect(unnamed, screen).toEqual([]);
    // Where a format is expected, the error describes it.
    const expected = "input[type=date]:visible, input[type=email]:visible, input[inputmode=decimal]:visible";
    for (const field of await page.locator(expected).all())
      if (await field.getAttribute("aria-invalid"))
        await expect(field, `${screen}: ${await field.getAttribute("name")}`).toHaveAccessibleDescription(/\w{3}/);
  });
});

test("everything that is submitted is checked, can be read again, and can be changed before (WCAG 3.3.6)", async ({
  page,
}) => {
  const { link } = await invitedAtStage(3);
  await page.goto(link);
  for (const [change, shown] of [
    ["Change Landlord & property", "Landlord & property details"],
    ["Change Agent details", "Agency Details"],
    ["Change Lease & funds", "Lease & funds"],
  ] as const) {
    await page.goto("/home");
    await page.getByRole("link", { name: change }).click();
    await expect(heading(page, shown)).toBeVisible();
    const field = page.locator("main input[type=text]:visible, main input[inputmode=decimal]:visible").first();
    const before = await field.inputValue();
    await field.fill("");
    await next(page);
    // Checked: the step is not left.
    await expect(heading(page, "There is a problem")).toBeVisible();
    await field.fill(before);
    await next(page);
    await expect(heading(page, "Review your application")).toBeVisible();
  }
});
