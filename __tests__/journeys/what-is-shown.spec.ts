import { expect, type Page } from "@playwright/test";
import { shownCap } from "@/__tests__/support/answers";
import { heading } from "@/__tests__/support/fill-in";
import { invite, test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";
import { defaultBrand } from "@/lib/brand";
import { dayIn } from "@/lib/domain/zone-time";

const offer = [
  "Apply online",
  "No bank loans, no credit checks, no paperwork.",
  "Eligibility confirmed within 24 hrs.",
  "Instant funds",
  "Your property manager receives approved funds.",
  "Repay over time",
  "Repayments automatically deducted from rent.",
];

test("the landing from source ba offers a pre-approval, with no obligation @desktop", async ({ page }) => {
  const { token } = await invite("--mobile", "61412345678", "--source", "ba");
  await page.goto(`/?token=${token}&source=ba`);
  await expect(page).toHaveURL("/");
  await expect(heading(page, "Get pre-approved for flexible property funding")).toBeVisible();
  await expect(page.getByText(`how much you could access (up to ${shownCap}) with no obligation`)).toBeVisible();
  for (const words of [...offer, "Get pre-approved"]) await expect(main(page).getByText(words).first()).toBeVisible();
  await expect(page.getByText("$2,450.00")).toHaveCount(0);
});

test("the landing from anywhere else shows an invoice and a flexible way to pay it @desktop", async ({ page }) => {
  const { token } = await invite("--mobile", "61412345678");
  await page.goto(`/?token=${token}`);
  await expect(page).toHaveURL("/");
  await expect(heading(page, "Unlock future rental income today")).toBeVisible();
  await expect(page.getByText("$2,450.00").first()).toBeVisible();
  await expect(page.getByText("Harbour & Hill Plumbing")).toBeVisible();
  await expect(page.getByText("Pay with RentAhead")).toBeVisible();
  await expect(page.getByText("Flexible", { exact: true })).toBeVisible();
  for (const words of [...offer, "Get approved"]) await expect(main(page).getByText(words).first()).toBeVisible();
});

test("every page has a header with the logo and a footer with the legal documents and the year", async ({ page }) => {
  await openAt(page, 3);
  for (const path of ["/", "/landing", "/home", "/review&submit", "/un-authorized"]) {
    await page.goto(path);
    await expect(page.getByRole("banner").getByRole("link", { name: /Wattle Lane/ })).toBeVisible();
    const footer = page.getByRole("contentinfo");
    await expect(footer.getByRole("link", { name: /Legal documents/ })).toHaveAttribute("href", /^https:\/\//);
    await expect(footer).toContainText(`© ${dayIn(new Date(), defaultBrand).slice(0, 4)}`);
    await expect(footer).toContainText("ACN 000 000 000");
  }
});

test("every path but the landing shows the three benefits", async ({ page }) => {
  const benefits = [`Fast access to up to ${shownCap}`, "No impact on credit score", "Interest is tax deductible"];
  await openAt(page, 3);
  for (const path of ["/home", "/review&submit", "/un-authorized"]) {
    await page.goto(path);
    for (const benefit of benefits) await expect(page.getByText(benefit)).toBeVisible();
  }
  for (const path of ["/", "/landing"]) {
    await page.goto(path);
    await expect(page.getByRole("link", { name: "Start pre-approval" })).toBeVisible();
    for (const benefit of benefits) await expect(page.getByText(benefit)).toHaveCount(0);
  }
});

test("a changed name is marked at the edge of its field", async ({ page }) => {
  await openAt(page, 0, "/home", "--first-name", "Ada");
  const name = page.getByLabel("Full name");
  const edge = async (): Promise<Buffer> => {
    await name.blur();
    const { x, y, height } = (await name.locator("..").boundingBox()) ?? { x: 0, y: 0, height: 0 };
    return page.screenshot({ clip: { x: x - 4, y: y + height / 2, width: 8, height: 8 } });
  };
  await name.fill("Augusta");
  await expect(page.getByText("Changed from Ada")).toBeVisible();
  const changed = await edge();
  await name.fill("Ada");
  await expect(page.getByText("Changed from Ada")).toHaveCount(0);
  expect(changed.equals(await edge())).toBe(false);
});

const main = (page: Page) => page.getByRole("main");
