import { expect, type Page } from "@playwright/test";
import { back, field, fillStep, heading, next } from "@/__tests__/support/fill-in";
import { expire, type Invitation, invite, reissue, revoke, sql, test } from "@/__tests__/support/journey";
import { reportFigure, size } from "@/__tests__/support/size";
import { openAt } from "@/__tests__/support/stages";

const storage = (page: Page) => page.evaluate(() => ({ ...localStorage }));
const tokenIn = async (page: Page) => (await storage(page)).auth_token;

const storedName = (reference: string) =>
  sql(`SELECT "firstName", "lastName" FROM applications WHERE reference = $1`, [reference]);

async function openForm(page: Page, { link }: Invitation): Promise<void> {
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillStep(page, 1);
  await field(page, "Full name").blur();
  await expect.poll(async () => JSON.stringify(await storage(page))).toContain("Newtown");
}

const invitedPerson = () => invite("--mobile", "61412345678");

const unknown = "u".repeat(43);
/** Addresses of the product that any website could open. */
const badAddresses = [
  ...["/?token=garbage", "/?token=", "/?token=&source=evil", "/?token=%20", "/?token=%00", "/?token=%E0%A4%A"],
  ...[`/?token=${unknown}`, `/?token=${unknown}.&source=evil`, `/?token=${"t".repeat(5000)}`, `//?token=${unknown}`],
  "/?token=%3C/script%3E%3Cscript%3EdocumentElement.remove()%3C/script%3E",
  "/?token=%22%2Ctoken%3Dlocalstorage.clear()%2F%2F",
  ...["/?token=%F0%9F%8F%A0", "/?token=null&source=null", `/?token=${unknown}&token=${"v".repeat(43)}`],
  ...["/home?token=garbage", "/review%26submit?token=garbage", `/un-authorized?token=${unknown}`],
];

async function expiredAndRevokedLinks(): Promise<string[]> {
  const [expired, revoked] = [await invitedPerson(), await invitedPerson()];
  await expire(expired.reference);
  await revoke(revoked.reference);
  return [expired, revoked].map(({ token }) => `/?token=${token}&source=ia`);
}

test("a wrong link in another tab changes neither stored data nor the open form", async ({ page, context }) => {
  test.setTimeout(size(150_000, 600_000));
  const ada = await invitedPerson();
  await openForm(page, ada);
  const other = await context.newPage();
  // An empty source counts as no source.
  const stored = async (tab: Page) => ({ auth_source: "", ...(await storage(tab)) });
  const kept = await stored(page);
  const bad = [...badAddresses, ...(await expiredAndRevokedLinks())].slice(0, size(1, 20));
  for (const address of bad) {
    await other.goto(`${process.env.APP_URL}${address}`);
    await expect(other.getByRole("heading", { level: 1, name: "Authenticating" })).toHaveCount(0);
    await expect(other.locator("h1:visible").first()).toBeVisible();
    expect([address, await stored(page), /[?&]token=/.test(other.url())]).toEqual([address, kept, false]);
  }
  await other.goto("/?token=garbage&source=evil");
  await expect(other).toHaveURL("/un-authorized");
  await expect(heading(other, "Unauthorized Access")).toBeVisible();
  expect(await stored(other)).toEqual(kept);
  await next(page);
  await expect(heading(page, "Agency Details")).toBeVisible();
  expect(await storedName(ada.reference)).toMatchObject({ lastName: "Nguyen" });
  // From there, the applicant can continue with the application on this device.
  await other.getByRole("link", { name: "Continue" }).click();
  await expect(heading(other, "Unlock future rental income today")).toBeVisible();
  reportFigure(
    32,
    `${bad.length} kinds of bad link beside a form with typed text: token, source and draft unchanged, and it saves`,
  );
});

test("an open form keeps its application when another tab opens a link to another one", async ({ page, context }) => {
  test.setTimeout(size(150_000, 600_000));
  const ada = await invitedPerson();
  await openForm(page, ada);
  const other = await context.newPage();
  let previous = ada;
  const times = size(1, 20);
  for (let time = 1; time <= times; time += 1) {
    const ben = await invitedPerson();
    await other.goto(ben.link);
    await expect(heading(other, "Unlock future rental income today")).toBeVisible();
    const notice = other.getByText(`Application ${previous.reference} isn't lost: its own link opens it.`);
    await expect(notice.filter({ visible: true })).toBeVisible();
    expect(await tokenIn(other)).toBe(ben.token);
    const lastName = `Nguyen${"i".repeat(time)}`;
    await field(page, "Last name").fill(lastName);
    await next(page);
    await expect(heading(page, "Agency Details")).toBeVisible();
    await expect(page.getByText(ada.reference)).toBeVisible();
    expect(await storedName(ada.reference)).toMatchObject({ lastName });
    expect(await storedName(ben.reference)).toMatchObject({ lastName: "" });
    await back(page);
    previous = ben;
  }
  reportFigure(
    33,
    `${times} links to other applications opened beside an open form: each save of it to its own application`,
  );
});

test("a refused link removes its own token, and a reissued link restores the typed answers", async ({ page }) => {
  const ada = await invitedPerson();
  await openForm(page, ada);
  const { link } = await reissue(ada.reference);
  await page.goto(ada.link);
  await expect(heading(page, "Unauthorized Access")).toBeVisible();
  expect(await tokenIn(page)).toBeUndefined();
  await expect(page.getByText(/What you typed stays on this device/)).toBeVisible();
  await page.goto(link);
  await expect(page.getByText(/Until now, this device/)).toHaveCount(0);
  await page.getByRole("link", { name: "Get started" }).click();
  await expect(field(page, "Last name")).toHaveValue("Nguyen");
});

for (const [path, name] of [
  ["/un-authorized", "Unauthorized Access"],
  ["/nothing", "Page not found"],
] as const)
  test(`a valid link to ${path} stays there, and is stored once its application is opened, with a notice`, async ({
    page,
  }) => {
    const [ada, ben] = [await invitedPerson(), await invitedPerson()];
    await page.goto(ada.link);
    const kept = await storage(page);
    await page.goto(`${path}?token=${ben.token}&source=ia`);
    await expect(page).toHaveURL(path);
    await expect(heading(page, name)).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await storage(page)).toEqual(kept);
    await page.getByRole("link", { name: "Go to your application" }).click();
    const start = page.getByRole("link", { name: "Get started" });
    await expect(start).toBeVisible();
    expect(await tokenIn(page)).toBe(ben.token);
    const notice = page.getByText(`Application ${ada.reference} isn't lost: its own link opens it.`);
    // The hidden form behind the landing has the notice too.
    await expect(notice.first()).toBeVisible();
    await start.click();
    await expect(page).toHaveURL("/home");
    await page.reload();
    await expect(notice).toBeVisible();
    await page.getByRole("button", { name: `Dismiss: You've opened application ${ben.reference}.` }).click();
    await expect(notice).toHaveCount(0);
    await page.reload();
    await expect(page.getByText(ben.reference)).toBeVisible();
    await expect(notice).toHaveCount(0);
  });

test("a revoked link to /un-authorized changes nothing stored, and offers a fresh link", async ({ page }) => {
  const [ada, ben] = [await invitedPerson(), await invitedPerson()];
  await page.goto(ada.link);
  await revoke(ben.reference);
  await page.goto(`/un-authorized?token=${ben.token}`);
  await expect(page).toHaveURL("/un-authorized");
  await expect(page.getByRole("button", { name: "Send me a new link" })).toBeVisible();
  expect(await tokenIn(page)).toBe(ada.token);
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/home");
  await expect(page.getByText(ada.reference)).toBeVisible();
});

test("a link with two slashes before its token opens in one request", async ({ request }) => {
  const answer = await request.get(`${process.env.APP_URL}//?token=T&utm_source=sms`, { maxRedirects: 0 });
  expect(answer.status()).toBe(307);
  expect(answer.headers().location).toMatch(/\/\?utm_source=sms$/);
  expect(answer.headers()["set-cookie"]).toContain("handoff=");
});

test("Back opens a step at its heading, and a reload keeps the scroll position", async ({ page }) => {
  const scrolled = () =>
    // The browser restores a position in the frame after the move.
    page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return window.scrollY;
    });
  await openAt(page, 3, "/home?step=1");
  await next(page);
  await expect(heading(page, "Agency Details")).toBeVisible();
  await next(page);
  await expect(heading(page, "Lease & funds")).toBeVisible();
  await back(page);
  await expect(heading(page, "Agency Details")).toBeFocused();
  expect(await scrolled()).toBe(0);
  await page.evaluate(() => window.scrollTo(0, 300));
  await page.reload();
  await expect(heading(page, "Agency Details")).toBeVisible();
  expect(await scrolled()).toBe(300);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("link", { name: /, home$/ }).click();
  await expect(heading(page, "Get pre-approved for flexible property funding")).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 600));
  await page.goBack();
  await expect(heading(page, "Agency Details")).toBeVisible();
  expect(await scrolled()).toBe(0);
});
