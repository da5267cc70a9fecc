import { expect, type Page } from "@playwright/test";
import { type StatusAfterSubmission, statuses, statusesAfterSubmission } from "@/lib/domain/statuses";
import { next } from "./fill-in";
import { decide } from "./journey";
import { landings } from "./landings";
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

const asksToForget = async (page: Page) => {
  await page.getByRole("button", { name: /^Not \S+\?$/ }).click();
  await expect(page.getByRole("button", { name: "Forget this device" })).toBeVisible();
};

const recalculates = async (page: Page) => {
  await page.getByLabel("Loan amount").fill("1000");
  await page.getByLabel("Current weekly rent").fill("700");
  await expect(page.getByText("we've recalculated the amount")).toBeVisible();
};

/** Every route, grouped by the application's progress. */
const screens: { stage: Stage; status?: StatusAfterSubmission; shown: Screen[] }[] = [
  {
    stage: 0,
    shown: [
      { path: "/", heading: "Unlock future rental income today" },
      ...Object.values(landings).map(({ source, heading }) => ({ path: `/landing?source=${source}`, heading })),
      { path: "/home?source=ia", heading: "Landlord & property details", fullest: nextWithErrors },
      { path: "/un-authorized", heading: "Unauthorized Access" },
      { path: `/stop?code=${"x".repeat(30)}`, heading: "Stop invitations and reminders" },
      { path: "/no/such/page", heading: "Page not found" },
    ],
  },
  {
    stage: 1,
    shown: [
      { path: "/landing?source=ba", heading: "Get pre-approved for flexible property funding", fullest: asksToForget },
      { path: "/home", heading: "Agency Details", fullest: nextWithErrors },
    ],
  },
  { stage: 2, shown: [{ path: "/home?source=ia", heading: "Lease & funds", fullest: nextWithErrors }] },
  {
    stage: 3,
    shown: [
      { path: "/home?step=3", heading: "Lease & funds", fullest: recalculates },
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
  ...statusesAfterSubmission
    .slice(1)
    .map((status) => ({
      stage: "submitted" as const,
      status,
      shown: [{ path: "/", heading: statuses[status].heading }],
    })),
];

/** Opens every screen in turn and calls `look`. */
export async function onEveryScreen(page: Page, look: (screen: string) => Promise<void>): Promise<void> {
  for (const { stage, status, shown } of screens) {
    const { link, reference } = await invitedAtStage(stage, ...filled);
    if (status) await decide(reference, status);
    await page.goto(link);
    for (const { path, heading, fullest } of shown) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
      await fullest?.(page);
      await look(`${path}, ${status ?? `${stage} steps done`}`);
    }
  }
}
