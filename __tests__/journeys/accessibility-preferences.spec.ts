import { expect, type Page } from "@playwright/test";
import { heading } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";
import { type StepNumber, steps } from "@/lib/domain/journey";

/** Counts running animations, except those that only change visibility, such as of a message that appears after a delay. */
const moving = (page: Page) =>
  page.evaluate(() => {
    const movesSomething = ({ effect }: Animation) =>
      effect instanceof KeyframeEffect && effect.getKeyframes().some((frame) => !("visibility" in frame));
    return document
      .getAnimations()
      .filter((animation) => animation.playState === "running" && movesSomething(animation)).length;
  });

test("with prefers-reduced-motion nothing moves, not even a spinner", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openAt(page, 0);
  await page.route("**/verify-token", () => {});
  await page.goto("/home");
  await expect(page.getByText("Securing your session...")).toBeVisible();
  expect(await moving(page)).toBe(0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await moving(page)).toBeGreaterThan(0);
});

test("with forced colours, every field, button and box has a visible boundary", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  for (const stage of [0, 1, 2, 3] as const) {
    await openAt(page, stage, "/home");
    await expect(heading(page, steps[(stage + 1) as StepNumber].heading)).toBeVisible();
    const boundless = await page.evaluate(() => {
      const controls = [...document.querySelectorAll<HTMLElement>("main button, main input:not([type=hidden])")];
      return controls.flatMap((control) => {
        if (control.matches("[type=checkbox]"))
          return getComputedStyle(control).appearance === "none" ? control.id : [];
        const edges = [control, control.parentElement].map((element) => element && getComputedStyle(element));
        // A button that looks like a link is underlined instead of bounded.
        if (edges[0]?.textDecorationLine === "underline") return [];
        const isBounded = edges.some((edge) => edge?.borderTopStyle === "solid" && edge.borderTopWidth !== "0px");
        return isBounded ? [] : [control.outerHTML];
      });
    });
    expect(boundless, `step ${stage + 1}`).toEqual([]);
  }
});

test("with forced colours, a phone's progress bar shows how far the form is", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openAt(page, 1, "/home");
  const bars = page.getByRole("navigation", { name: "Progress" }).locator("div > span");
  await expect(bars).toHaveCount(4);
  const colours = await bars.evaluateAll((all) => all.map((bar) => getComputedStyle(bar).backgroundColor));
  expect(colours[1]).toBe(colours[0]);
  expect(colours[2]).not.toBe(colours[1]);
  expect(colours[3]).toBe(colours[2]);
});

test("on a phone held sideways, the start button is on the first screen", async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  for (const flags of [["--source", "ba"], [], ["--first-name", "Alexandra"]]) {
    await openAt(page, 0, "", ...flags);
    const button = await page.getByRole("link", { name: /^(Start pre-approval|Get started)/ }).boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0), flags.join(" ")).toBeLessThanOrEqual(390);
    // The next link would come with a note about this one.
    await page.evaluate(() => localStorage.clear());
  }
});

test("with forced colours, a disabled Submit looks disabled", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openAt(page, 3, "/home");
  const colours = () =>
    page.getByRole("button", { name: "Submit Application" }).evaluate((button) => {
      const disabled = document.body.appendChild(document.createElement("i"));
      disabled.style.color = "GrayText";
      return [getComputedStyle(button).color, getComputedStyle(disabled).color];
    });
  const [enabled, gray] = await colours();
  expect(enabled).not.toBe(gray);
  await page.getByRole("checkbox", { name: /confirm/ }).uncheck();
  expect((await colours())[0]).toBe(gray);
});

test("with text twice the size, a long name and 'Not Ada?' do not overlap", async ({ page }) => {
  await openAt(page, 0, "/home", "--first-name", "Wolfeschlegelsteinhausenbergerdorff");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  const applicant = page.getByRole("region", { name: "Applicant" });
  const [nameEnd = 0, buttonStart] = await applicant.evaluate((bar) =>
    [bar.querySelector("p"), bar.querySelector("button")].map((words, index) => {
      const range = document.createRange();
      range.selectNodeContents(words ?? bar);
      const lines = [...range.getClientRects()];
      return index === 0 ? lines.at(-1)?.bottom : lines[0]?.top;
    }),
  );
  expect(buttonStart).toBeGreaterThanOrEqual(nameEnd - 4);
});

test("a printed receipt is complete, without buttons and navigation", async ({ page }) => {
  const { reference } = await openAt(page, "submitted", "/receipt");
  await expect(heading(page, "Your receipt")).toBeVisible();
  await page.emulateMedia({ media: "print" });
  for (const role of ["banner", "contentinfo", "navigation", "button"] as const) {
    await expect(page.getByRole(role)).toHaveCount(0);
  }
  const shown = [reference, "Ada", "+61 2 9876 5432", "March 1, 2026", "$33,650", "Wattle Lane Lending Pty Ltd"];
  for (const words of shown) {
    await expect(page.getByText(words).filter({ visible: true }).first()).toBeVisible();
  }
  await expect(page.getByText("Ticked: I authorise my agent")).toBeVisible();
  await expect(page.getByText("Not ticked: I will provide")).toBeVisible();
  const colour = await heading(page, "Your receipt").evaluate((title) => getComputedStyle(title).color);
  expect(colour).toBe("rgb(0, 0, 0)");
});

test("the receipt of a draft leads to the form", async ({ page }) => {
  await openAt(page, 1, "/receipt");
  await expect(page).toHaveURL("/home");
  await expect(heading(page, "Agency Details")).toBeVisible();
});
