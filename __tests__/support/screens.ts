import { expect, type Page } from "@playwright/test";
import { next } from "./fill-in";
import { invitedAtStage, type Stage } from "./stages";

const problem = (page: Page) => expect(page.getByRole("heading", { name: "There is a problem" })).toBeVisible();
const filled = [
  "--first-name",
  "Wolfeschlegelsteinhausenbergerdorff",
  "--email",
  "a.very.long.address.without.a.break@subdomain.of.a.long.domain.example.com",
];

interface Screen {
  path: string;
  heading: string;
  /** Brings the screen into its most crowded state. */
  fullest?: (page: Page) => Promise<void>;
}

const nextWithErrors = async (page: Page) => {
  await next(page);
  await problem(page);
};

/** Every route, grouped by the application's progress. */
const screens: { stage: Stage; shown: Screen[] }[] = [
  {
    stage: 0,
    shown: [
      { path: "/", heading: "Unlock future rental income today" },
      { path: "/landing?source=ba", heading: "Get pre-approved for flexible property funding" },
      { path: "/home?source=ia", heading: "Landlord & property details", fullest: nextWithErrors },
      { path: "/un-authorized", heading: "Unauthorized Access" },
      { path: `/stop?code=${"x".repeat(30)}`, heading: "Invitations and reminders" },
      { path: "/no/such/page", heading: "Page not found" },
    ],
  },
  { stage: 1, shown: [{ path: "/home", heading: "Agency Details", fullest: nextWithErrors }] },
  { stage: 2, shown: [{ path: "/home?source=ia", heading: "Lease & funds", fullest: nextWithErrors }] },
  {
    stage: 3,
    shown: [
      { path: "/home", heading: "Review your application" },
      { path: "/review&submit", heading: "Review Your Application" },
    ],
  },
  {
    stage: "submitted",
    shown: [
      { path: "/", heading: "Your application has been submitted!" },
      { path: "/home", heading: "Application Submitted Successfully!" },
      { path: "/submit-success", heading: "Your application has been submitted!" },
      { path: "/receipt", heading: "Your receipt" },
    ],
  },
];

/** Opens every screen in turn and calls `look`. */
export async function onEveryScreen(page: Page, look: (screen: string) => Promise<void>): Promise<void> {
  for (const { stage, shown } of screens) {
    const { link } = await invitedAtStage(stage, ...filled);
    await page.goto(link);
    for (const { path, heading, fullest } of shown) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
      await fullest?.(page);
      await look(`${path}, ${stage} steps done`);
    }
  }
}
