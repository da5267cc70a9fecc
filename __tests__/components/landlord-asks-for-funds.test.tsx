import "@testing-library/jest-dom";
import { screen } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import { field, visitStepThree } from "@/__tests__/support/step-three";
import ApplicationForm from "@/components/steps/application-form";
import { answers, labelOf, namesOf, type SavedAnswer } from "@/lib/domain/application";

jest.mock("next/navigation", () => ({ useRouter: () => ({ replace: jest.fn(), push: jest.fn() }) }));

const api = fakeApi();
/** Amounts that the sum is asked for besides the rent and the invoice. */
const otherAmounts = (namesOf(3) as SavedAnswer[])
  .filter((name) => answers[name].kind === "money" && !["currentRent", "invoiceAmount", "loanAmount"].includes(name))
  .map((name) => labelOf(name));

async function fill(user: ReturnType<typeof visit>["user"], name: string, amount: string) {
  await user.clear(field(name));
  await user.type(field(name), amount);
}

describe("a landlord on step 3", () => {
  test("finds every field under its name, the highest quote filled in, and nothing worked out yet", () => {
    visitStepThree();
    for (const name of ["Lease start date", "Lease end date", "Current weekly rent", "Loan amount", "Extra funds"])
      expect(field(name)).toHaveValue("");
    expect(field("Repair costs")).toHaveValue("2450");
    expect(screen.getByText(/pre-filled with the highest quote/)).toBeVisible();
    expect(screen.getByText("Great News! Extra funds could be available to you")).toBeVisible();
    expect(screen.queryByLabelText("Pre-approval number")).toBeNull();
  });

  test("from source ia is asked for a pre-approval number, and for 'Invoice or Repair Costs'", async () => {
    const { user } = visitStepThree({ source: "ia" });
    expect(field("Invoice or Repair Costs")).toBeVisible();
    await user.type(field("Pre-approval number"), "ab");
    await user.tab();
    expect(await screen.findByText("Approval must be at least 3 characters")).toBeVisible();
  });

  test("types the rent, and the advance follows with its sum", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    expect(field("Loan amount")).toHaveValue("33650");
    expect(field("Extra funds")).toHaveValue("31200");
    expect(screen.getByText("$300 × 104 weeks = $31,200 + $2,450 invoice")).toBeVisible();
    expect(screen.getByText("Together $33,650.")).toBeVisible();
  });

  test("is told why the advance is not more", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "500");
    expect(field("Loan amount")).toHaveValue("50000");
    expect(field("Extra funds")).toHaveValue("47550");
    expect(screen.getByText("That is $54,450. The most we can advance is $50,000.")).toBeVisible();
  });

  test("counts cents", async () => {
    const { user } = visitStepThree({ quote: "2450.55" });
    await fill(user, "Current weekly rent", "300.10");
    expect(field("Loan amount")).toHaveValue("33660.95");
  });

  test("who empties rent and repair costs has no loan amount", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.clear(field("Current weekly rent"));
    await user.clear(field("Repair costs"));
    expect(field("Loan amount")).toHaveValue("");
  });

  test("edits the loan amount or the extra funds: they are one number", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "10000");
    expect(field("Extra funds")).toHaveValue("7550");
    await fill(user, "Extra funds", "1000.50");
    expect(field("Extra funds")).toHaveValue("1000.50");
    expect(field("Loan amount")).toHaveValue("3450.50");
    expect(screen.getByText("You are asking for $3,450.50.")).toBeVisible();
  });

  test("takes only the invoice in one tap, and goes back to the calculated amount in another", async () => {
    const { user } = visitStepThree();
    expect(screen.queryByRole("button", { name: /Only the invoice/ })).toBeNull();
    await fill(user, "Current weekly rent", "300");
    const small = screen.getByRole("button", { name: "Only the invoice: $2,450" });
    const large = screen.getByRole("button", { name: "As calculated: $33,650" });
    expect([small, large].map((button) => button.ariaPressed)).toEqual(["false", "true"]);
    await user.click(small);
    expect(field("Loan amount")).toHaveValue("2450");
    expect(field("Extra funds")).toHaveValue("0");
    expect([small, large].map((button) => button.ariaPressed)).toEqual(["true", "false"]);
    expect(small).toHaveFocus();
    await user.click(large);
    expect(field("Loan amount")).toHaveValue("33650");
  });

  test("whose own amount is neither may choose one of the two", async () => {
    const { user } = visitStepThree({ quote: "2450.50" });
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "10000");
    expect(screen.getByRole("button", { name: "As calculated: $33,650.50" })).toHaveAttribute("aria-pressed", "false");
    await user.click(screen.getByRole("button", { name: "Only the invoice: $2,450.50" }));
    expect(field("Loan amount")).toHaveValue("2450.50");
  });

  test.each([
    ["there is no invoice", "0"],
    ["the invoice alone reaches the cap", "62000"],
  ])("is not asked to choose where %s", async (_, costs) => {
    const { user } = visitStepThree();
    await fill(user, "Repair costs", costs);
    await fill(user, "Current weekly rent", "300");
    expect(screen.queryByRole("button", { name: /As calculated/ })).toBeNull();
  });

  test("reads what the loan will cost, and when that is told", () => {
    visitStepThree();
    expect(screen.getByText(/all interest and fees in your agreement before you sign/)).toBeVisible();
  });

  test.each([
    ["Loan amount", "60000", "50000", "47550"],
    ["Extra funds", "60000", "50000", "47550"],
    ["Extra funds", "0", "2450", "0"],
  ])("who asks for %s of %s is held between 0 and 50,000", async (name, asked, loan, extra) => {
    const { user } = visitStepThree();
    await fill(user, name, asked);
    expect(field("Loan amount")).toHaveValue(loan);
    expect(field("Extra funds")).toHaveValue(extra);
  });

  test.each([
    ["letters", "4a5b0", "450"],
    ["a second point", "450.5.0", "450.50"],
    ["thousands", "1,250", "1250"],
    ["a decimal comma", "450,50", "450.50"],
    ["an unfinished amount", "0450.", "450"],
    ["cents alone", ".5", "0.50"],
  ])("may type %s into an amount", async (_, typed, held) => {
    const { user } = visitStepThree();
    await user.click(field("Current weekly rent"));
    await user.keyboard(typed);
    await user.tab();
    expect(field("Current weekly rent")).toHaveValue(held);
  });

  test("pastes what is no plain amount: the field stays as it was rather than change it quietly", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "450");
    await user.clear(field("Current weekly rent"));
    await user.paste("1e3");
    expect(field("Current weekly rent")).toHaveValue("");
  });

  test("who presses Next with nothing filled in reads what is required", async () => {
    const { user } = visitStepThree({ quote: "" });
    await user.click(screen.getByRole("button", { name: "Next" }));
    const summary = await screen.findByRole("alert", { name: "There is a problem" });
    expect([...summary.querySelectorAll("a")].map((link) => link.textContent)).toEqual(
      expect.arrayContaining([
        "Lease start date is required",
        "Lease end date is required",
        "Current rent is required",
        "Invoice amount is required",
        "Loan amount is required",
      ]),
    );
  });

  test("saves amounts as strings, and sees 'Submitting...' meanwhile", async () => {
    let answer = (_: object) => {};
    api.answers("submit-step-3", new Promise((resolve) => (answer = resolve)));
    const { user } = visitStepThree({ leaseStartDate: "2026-03-01", leaseEndDate: "2027-02-28" });
    for (const label of otherAmounts) await fill(user, label, "0");
    await fill(user, "Current weekly rent", "300");
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(await screen.findByRole("button", { name: "Submitting..." })).toHaveAttribute("aria-disabled", "true");
    expect(screen.getByRole("button", { name: "Back" })).toHaveAttribute("aria-disabled", "true");
    answer({});
    await screen.findByRole("heading", { name: "Review your application" });
    expect(api.calls[0]?.body.data).toMatchObject({
      leaseStartDate: "2026-03-01",
      leaseEndDate: "2027-02-28",
      currentRent: "300",
      invoiceAmount: "2450",
      loanAmount: "33650",
      approval: "",
    });
  });

  test("does not have a saved loan amount worked out again on coming back", () => {
    visit(<ApplicationForm />, {
      application: newApplication({ ...savedAnswers, loanAmount: "9000" }),
      search: "?step=3",
    });
    expect(field("Loan amount")).toHaveValue("9000");
    expect(field("Extra funds")).toHaveValue("6550");
  });
});
