import { expect, type Page } from "@playwright/test";
import { expectNoViolations } from "@/__tests__/support/axe";
import { deskUrl, signIn } from "@/__tests__/support/desk";
import { decide, sql, test } from "@/__tests__/support/journey";
import { invitedAtStage } from "@/__tests__/support/stages";
import { statusesAfterSubmission } from "@/lib/domain/statuses";

interface Screen {
  path: string;
  heading: string | RegExp;
  /** Brings the screen into this state. */
  state?: (page: Page) => Promise<unknown>;
}

const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first().click();
const shows = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();

async function expectAccessible(page: Page, { path, heading, state }: Screen): Promise<void> {
  await page.goto(`${deskUrl()}${path}`);
  await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  await state?.(page);
  await expectNoViolations(page, `${path} ${state ?? ""}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBe(0);
}

const applications = "Applications";
const lists: Screen[] = [
  { path: "/desk", heading: applications },
  {
    path: "/desk?status=submitted",
    heading: applications,
    state: (page) => page.getByText("Filters", { exact: true }).click(),
  },
  {
    path: "/desk?q=nobody-has-this-name",
    heading: applications,
    state: (page) => shows(page, "No applications found"),
  },
  { path: "/desk/invite", heading: "Invite one person" },
  {
    path: "/desk/invite",
    heading: "Invite one person",
    state: async (page) => {
      await press("Preview the invitation")(page);
      await shows(page, "Nothing was sent. Correct the marked fields.");
    },
  },
  { path: "/desk/messages?state=waiting", heading: "Messages" },
  {
    path: "/desk/messages",
    heading: "Messages",
    state: async (page) => {
      await press("Look up")(page);
      await shows(page, "That is neither an email address nor a phone number.");
    },
  },
  { path: "/desk/figures", heading: "Figures", state: (page) => shows(page, "By week of invitation") },
  {
    path: "/desk/figures?batch=no-such-batch",
    heading: "Figures",
    state: (page) => shows(page, "Nobody was invited."),
  },
  { path: "/desk/AAAA-AAAA", heading: "There is no such application" },
  { path: "/desk/no/such/page", heading: "Page not found" },
];

test("the lists and forms of the desk, in each state, have no axe violation and fit @desktop", async ({ page }) => {
  await invitedAtStage("submitted", "--first-name", "Wolfeschlegelsteinhausenbergerdorff");
  await page.goto(`${deskUrl()}/desk/sign-in`);
  for (const problem of ["", "provider", "nobody", "ended"])
    await expectAccessible(page, { path: `/desk/sign-in?problem=${problem}`, heading: "Sign in to the desk" });
  await signIn(page, "Robin");
  for (const screen of lists) await expectAccessible(page, screen);
});

test("an application in each status, and what is asked before each decision, have no axe violation", async ({
  page,
}) => {
  await signIn(page, "Robin");
  const draft = await invitedAtStage(1, "--email", "a.very.long.address.without.a.break@a.long.domain.example.com");
  await expectAccessible(page, { path: `/desk/${draft.reference}`, heading: new RegExp(draft.reference) });
  const { reference } = await invitedAtStage("submitted");
  const path = `/desk/${reference}`;
  const heading = new RegExp(reference);
  for (const status of statusesAfterSubmission) {
    await decide(reference, status);
    await expectAccessible(page, { path, heading });
  }
  await decide(reference, "in-review");
  for (const to of ["approved", "declined", "withdrawn", "paid"])
    await expectAccessible(page, { path: `${path}/status/${to}`, heading });
  await expectAccessible(page, {
    path,
    heading,
    state: async (page) => {
      await press("Revoke links")(page);
      await shows(page, "No reminder goes out until a new link is sent.");
    },
  });
  await expectAccessible(page, { path: `${path}/erase`, heading });
  await expectAccessible(page, {
    path: `${path}/erase`,
    heading,
    state: async (page) => {
      await press("Erase")(page);
      await shows(page, "Erased: the personal data was removed.");
    },
  });
});

test("two minutes before its end the session is offered to stay, and its end is said, without an axe violation", async ({
  browser,
}) => {
  const page = await browser.newPage();
  await page.clock.install();
  await signIn(page, "Casey", "/desk/invite");
  const session = (await page.context().cookies()).find(({ name }) => name === "desk-session")?.value ?? "";
  const unused = (minutes: number) =>
    sql(
      `UPDATE desk_sessions SET "usedAt" = now() - make_interval(mins => $2) WHERE hash = sha256($1::bytea) RETURNING by`,
      [Buffer.from(session), minutes],
    );
  await page.getByLabel("First name", { exact: true }).fill("Typed before");
  await unused(29);
  await page.clock.fastForward("28:30");
  await shows(page, "You will be signed out in two minutes.");
  await expectNoViolations(page, "the end of a session");
  await page.getByRole("button", { name: "Stay signed in" }).click();
  await expect(page.getByText("You will be signed out in two minutes.")).toBeHidden();
  await unused(31);
  await page.clock.fastForward("29:00");
  await shows(page, "You have been signed out.");
  await expectNoViolations(page, "a session that has ended");
  await expect(page.getByLabel("First name", { exact: true })).toHaveValue("Typed before");
  await page.close();
});

test("Ctrl+K leads to the search from every page, and a whole search needs no mouse @desktop-only", async ({
  page,
}) => {
  const { reference } = await invitedAtStage(1, "--last-name", "Keyboardly");
  await signIn(page, "Casey", "/desk/messages");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Keyboardly");
  await page.keyboard.press("Enter");
  const found = page.getByRole("link", { name: reference });
  await expect(found).toBeVisible();
  for (let press = 0; press < 40 && !(await found.evaluate((link) => link === document.activeElement)); press += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: new RegExp(reference) })).toBeVisible();
});
