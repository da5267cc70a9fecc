import { expect, type Locator, type Page } from "@playwright/test";
import { isAskedFor, labelOf, namesOf, type SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep, steps } from "@/lib/domain/journey";
import { wholeApplication } from "./answers";

type Give = (field: Locator, answer: string) => Promise<void>;

const atOnce: Give = async (field, answer) => {
  const isChoice = await field.evaluate(({ tagName }) => tagName === "SELECT");
  await (isChoice ? field.selectOption(answer) : field.fill(answer));
};

/** What a landlord types where it differs from the sample answers. */
const typed: Partial<Record<SavedAnswer, string>> = {
  firstName: "Alex",
  lastName: "Nguyen",
  email: "alex@example.com",
  propertyAddress: "12 Station Street, Newtown NSW 2042",
  agencyName: "Harbour & Hill",
  managerFirstName: "Priya",
  managerLastName: "Shah",
  contactNumber: "0298 765 432",
  managerEmail: "priya@example.com",
  leaseStartDate: "2026-01-01",
  leaseEndDate: "2027-01-01",
  currentRent: "300",
  invoiceAmount: "2450",
};

/** Not filled in: the invitation has the mobile, the approval is optional, and the form calculates the loan amount. */
const skipped: SavedAnswer[] = ["mobile", "approval", "loanAmount"];

/** The answers of a step that a landlord fills in. */
export const filledIn = (step: AnswerStep, source: string) =>
  namesOf(step).filter((name) => isAskedFor(name, source) && !skipped.includes(name));

export const next = (page: Page) => page.getByRole("button", { name: "Next", exact: true }).click();
export const back = (page: Page) => page.getByRole("button", { name: "Back", exact: true }).click();
export const submit = (page: Page) => page.getByRole("button", { name: "Submit Application" }).click();
export const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

/** Fills in the fields of a step. `give` enters an answer into its field, for example by typing or pasting it. */
export async function fillStep(page: Page, step: AnswerStep, give: Give = atOnce, source = ""): Promise<void> {
  await expect(heading(page, steps[step].heading)).toBeVisible();
  for (const name of filledIn(step, source)) {
    await give(field(page, labelOf(name, source)), typed[name] ?? wholeApplication[name]);
  }
}

/** Fills in the form from step 1 to the review. */
export async function fillAll(page: Page, give?: Give): Promise<void> {
  for (const step of answerSteps) {
    await fillStep(page, step, give);
    await next(page);
  }
  await expect(heading(page, steps[reviewStep].heading)).toBeVisible();
}
