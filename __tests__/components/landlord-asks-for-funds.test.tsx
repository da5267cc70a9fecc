import { screen, within } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication, savedAnswers, visit } from "@/__tests__/support/applicant";
import { field, visitStepThree } from "@/__tests__/support/step-three";
import ApplicationForm from "@/components/steps/application-form";
import { answers, labelOf, namesOf, type SavedAnswer } from "@/lib/domain/application";

const api = fakeApi();
/** The labels of amounts on step 3 other than the rent, the invoice and the loan amount. */
const otherAmounts = (namesOf(3) as SavedAnswer[])
  .filter((name) => answers[name].kind === "money" && !["currentRent", "invoiceAmount", "loanAmount"].includes(name))
  .map((name) => labelOf(name));

async function fill(user: ReturnType<typeof visit>["user"], name: string, amount: string) {
  await user.clear(field(name));
  await user.type(field(name), amount);
}

/** The rows of the sum, each with its label and amount. */
const sum = () =>
  screen.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent).join(" "));

const choice = (name: string | RegExp) => screen.getByRole("radio", { name });

const choices = () =>
  screen.getAllByRole<HTMLInputElement>("radio").map(({ labels, checked }) => {
    return `${labels?.[0]?.textContent}${checked ? " (chosen)" : ""}`;
  });

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

  test("types the rent and sees the advance with its calculation", async () => {
    const { user } = visitStepThree();
    expect(screen.queryByRole("table")).toBeNull();
    await fill(user, "Current weekly rent", "300");
    expect(field("Loan amount")).toHaveValue("33650");
    expect(field("Extra funds")).toHaveValue("31200");
    expect(sum()).toEqual(["Invoice $2,450", "Extra funds $31,200", "Total $33,650"]);
  });

  test("reads once why the advance is capped and how much more is possible", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "500");
    expect(field("Loan amount")).toHaveValue("50000");
    expect(field("Extra funds")).toHaveValue("47550");
    expect(sum()).toEqual(["Invoice $2,450", "Extra funds $47,550", "Total, limited to $50,000 $50,000"]);
    expect(screen.getAllByText(/limited to/)).toHaveLength(1);
    expect(field("Extra funds")).toHaveAccessibleDescription(expect.stringContaining("Up to $47,550 more."));
  });

  test("whose invoice alone reaches the limit reads that no more is possible", async () => {
    visitStepThree({ quote: "62000" });
    expect(screen.getByText("Your invoice already reaches the $50,000 limit.")).toBeVisible();
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
    expect(sum()).toEqual(["Invoice $2,450", "Extra funds $1,000.50", "Total $3,450.50"]);
  });

  test("takes only the invoice in one tap, and goes back to the maximum in another", async () => {
    const { user } = visitStepThree();
    expect(choices()).toEqual(["Only the invoice: $2,450", "The maximum", "Another amount"]);
    await fill(user, "Current weekly rent", "300");
    expect(choices()).toEqual(["Only the invoice: $2,450", "The maximum: $33,650 (chosen)", "Another amount"]);
    await user.click(choice("Only the invoice: $2,450"));
    expect(field("Loan amount")).toHaveValue("2450");
    expect(field("Extra funds")).toHaveValue("0");
    expect(choices()).toEqual(["Only the invoice: $2,450 (chosen)", "The maximum: $33,650", "Another amount"]);
    expect(choice("Only the invoice: $2,450")).toHaveFocus();
    await user.click(choice(/The maximum/));
    expect(field("Loan amount")).toHaveValue("33650");
  });

  test("reads the choices above the amount as one group", () => {
    visitStepThree();
    const group = screen.getByRole("group", { name: "How much would you like?" });
    expect(within(group).getAllByRole("radio")).toHaveLength(3);
    expect(group.compareDocumentPosition(field("Loan amount"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(field("Loan amount").compareDocumentPosition(field("Extra funds"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test("who typed another amount has 'another amount' selected and may choose either of the other two", async () => {
    const { user } = visitStepThree({ quote: "2450.50" });
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "10000");
    expect(choices()).toEqual(["Only the invoice: $2,450.50", "The maximum: $33,650.50", "Another amount (chosen)"]);
    await user.click(choice(/Only the invoice/));
    expect(field("Loan amount")).toHaveValue("2450.50");
  });

  test("chooses another amount before typing it", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.click(choice("Another amount"));
    expect(choices()).toContain("Another amount (chosen)");
    expect(field("Loan amount")).toHaveValue("33650");
    await fill(user, "Loan amount", "9000");
    expect(choices()).toContain("Another amount (chosen)");
    await user.click(choice(/The maximum/));
    expect(choices()).toContain("The maximum: $33,650 (chosen)");
  });

  test.each([
    ["there is no invoice", "0"],
    ["the invoice alone reaches the cap", "62000"],
  ])("is not offered the invoice alone where %s", async (_, costs) => {
    const { user } = visitStepThree();
    await fill(user, "Repair costs", costs);
    await fill(user, "Current weekly rent", "300");
    expect(screen.queryByRole("radio", { name: /Only the invoice/ })).toBeNull();
    expect(choice(/The maximum/)).toBeVisible();
  });

  const recalculated = () => screen.queryByText(/recalculated the amount/)?.textContent;

  test("who asks for the maximum before giving the rent gets it, and reads nothing of a change", async () => {
    const { user } = visitStepThree();
    await user.click(choice(/^The maximum/));
    expect(choices()).toContain("The maximum (chosen)");
    await fill(user, "Current weekly rent", "300");
    expect(choices()).toContain("The maximum: $33,650 (chosen)");
    expect(screen.queryByText(/recalculated/)).toBeNull();
  });

  test("who asks for the maximum before the rent and then types an amount has chosen another", async () => {
    const { user } = visitStepThree();
    await user.click(choice(/^The maximum/));
    await fill(user, "Loan amount", "1000");
    expect(choices()).toContain("Another amount (chosen)");
  });

  test("who picks another amount and then corrects the rent reads what the amount was", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.click(choice("Another amount"));
    await fill(user, "Current weekly rent", "400");
    expect(screen.getByText(/Because your rent changed, we've recalculated the amount/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Go back to $33,650" }));
    expect(field("Loan amount")).toHaveValue("33650");
  });

  test("who corrects the rent reads that the invoice alone was replaced, and goes back to it in one tap", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.click(choice(/Only the invoice/));
    expect(recalculated()).toBeUndefined();
    await fill(user, "Current weekly rent", "500");
    expect(recalculated()).toBe("Because your rent changed, we've recalculated the amount: $50,000.");
    await user.click(screen.getByRole("button", { name: "Only the invoice: $2,450" }));
    expect(field("Loan amount")).toHaveValue("2450");
    expect(recalculated()).toBeUndefined();
  });

  test("who has chosen the invoice alone before giving the rent reads that it was replaced", async () => {
    const { user } = visitStepThree();
    await user.click(choice(/Only the invoice/));
    await fill(user, "Current weekly rent", "300");
    expect(recalculated()).toBe("Because your rent changed, we've recalculated the amount: $33,650.");
    await user.click(screen.getByRole("button", { name: "Only the invoice: $2,450" }));
    expect(field("Loan amount")).toHaveValue("2450");
  });

  test("who corrects the invoice goes back to the invoice as it is now", async () => {
    const { user } = visitStepThree({ source: "ia" });
    await fill(user, "Current weekly rent", "300");
    await user.click(choice(/Only the invoice/));
    await user.type(field("Invoice or Repair Costs"), "0");
    expect(recalculated()).toBe(
      "Because your invoice or repair costs changed, we've recalculated the amount: $50,000.",
    );
    await user.click(screen.getByRole("button", { name: "Only the invoice: $24,500" }));
    expect(field("Loan amount")).toHaveValue("24500");
  });

  test("whose own amount was replaced goes back to it, or types another", async () => {
    const { user } = visitStepThree({ currentRent: "300", loanAmount: "10000", savedSteps: [1, 2, 3] }, "?step=3");
    await user.type(field("Current weekly rent"), "5");
    expect(recalculated()).toMatch(/your rent changed/);
    await user.click(screen.getByRole("button", { name: "Go back to $10,000" }));
    expect(field("Loan amount")).toHaveValue("10000");
    await user.type(field("Current weekly rent"), "0");
    expect(recalculated()).toMatch(/your rent changed/);
    await fill(user, "Loan amount", "12000");
    expect(recalculated()).toBeUndefined();
  });

  test("whose amount was the calculated one reads no notice", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Current weekly rent", "310");
    await fill(user, "Repair costs", "100");
    expect(recalculated()).toBeUndefined();
  });

  test("reads what the loan costs and when the lender discloses it", () => {
    visitStepThree();
    expect(screen.getByText(/all interest and fees in your agreement before you sign/)).toBeVisible();
  });

  test.each([
    ["Loan amount", "60000", "50000", "47550"],
    ["Extra funds", "60000", "50000", "47550"],
    ["Extra funds", "0", "2450", "0"],
  ])("who asks for %s of %s gets an amount between 0 and 50,000", async (name, requested, loan, extra) => {
    const { user } = visitStepThree();
    await fill(user, name, requested);
    expect(field("Loan amount")).toHaveValue(loan);
    expect(field("Extra funds")).toHaveValue(extra);
  });

  test.each([
    ["Loan amount", "We've changed it to $50,000, the most we can advance."],
    ["Extra funds", "We've changed it to $47,550. With your invoice, that's $50,000, the most we can advance."],
  ])("who types too much into %s reads why it became smaller, until it is changed", async (name, reason) => {
    const { user } = visitStepThree();
    await fill(user, name, "60000");
    await user.tab();
    expect(screen.getByText(reason)).toBeVisible();
    await user.type(field(name), "{Backspace}");
    expect(screen.queryByText(reason)).toBeNull();
  });

  test("who types too much and then takes another amount no longer reads why it became smaller", async () => {
    const { user } = visitStepThree();
    const reasons = () => screen.queryAllByText(/the most we can advance/);
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "60000");
    expect(reasons()).toHaveLength(1);
    await user.click(choice(/Only the invoice/));
    expect(reasons()).toEqual([]);
    // The amount is as large as before, but this time it was not reduced.
    await fill(user, "Loan amount", "50000");
    expect(reasons()).toEqual([]);
    await fill(user, "Extra funds", "60000");
    expect(reasons()).toHaveLength(1);
    await fill(user, "Repair costs", "3000");
    expect(field("Extra funds")).toHaveValue("31200");
    expect(reasons()).toEqual([]);
  });

  test("whose extra funds are reduced and whose invoice then takes up more no longer reads the old reason", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "500");
    await fill(user, "Extra funds", "60000");
    await user.type(field("Repair costs"), "{Backspace}");
    expect(field("Loan amount")).toHaveValue("50000");
    expect(screen.queryByText(/the most we can advance/)).toBeNull();
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

  test.each([
    ["$650 pw", "650"],
    ["AUD 650", "650"],
    ["650/week", "650"],
    ["1,234.56", "1234.56"],
  ])("pastes '%s' as a rent", async (pasted, held) => {
    const { user } = visitStepThree();
    await user.click(field("Current weekly rent"));
    await user.paste(pasted);
    expect(field("Current weekly rent")).toHaveValue(held);
    expect(field("Current weekly rent")).toBeValid();
  });

  const unreadable = (name: string) => `Error: ${name} must be an amount in dollars, such as 450 or 450.50`;

  test.each([
    ["Current weekly rent", "Current rent"],
    ["Repair costs", "Invoice amount"],
    ["Loan amount", "Loan amount"],
    ["Extra funds", "Extra funds"],
  ])(
    "who pastes text that is not an amount into '%s' reads the error at once and corrects it",
    async (name, nameInErrors) => {
      const { user } = visitStepThree();
      await user.clear(field(name));
      await user.paste("1e3");
      expect(field(name)).toHaveValue("1e3");
      expect(await screen.findByText(unreadable(nameInErrors).slice(7))).toBeVisible();
      expect(field(name)).toBeInvalid();
      await user.tab();
      expect(field(name)).toHaveValue("1e3");
      await user.click(field(name));
      await user.keyboard("{Backspace}{Backspace}");
      expect(field(name)).toHaveValue("1");
      expect(screen.queryByText(unreadable(nameInErrors).slice(7))).toBeNull();
    },
  );

  test("who pastes one letter reads at once that it is not an amount", async () => {
    const { user } = visitStepThree();
    await user.click(field("Current weekly rent"));
    await user.paste("x");
    expect(field("Current weekly rent")).toHaveValue("x");
    expect(await screen.findByText(unreadable("Current rent").slice(7))).toBeVisible();
  });

  test("leaves '1,234.56' as a rent, and it is read as one", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "1,234.56");
    await user.tab();
    expect(field("Current weekly rent")).toHaveValue("1234.56");
  });

  test("cannot go on while the extra funds cannot be read", async () => {
    const { user } = visitStepThree({ leaseStartDate: "2026-03-01", leaseEndDate: "2027-02-28" });
    await fill(user, "Current weekly rent", "300");
    await user.clear(field("Extra funds"));
    await user.paste("as much as possible");
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(await screen.findByRole("link", { name: "Loan amount is required" })).toBeVisible();
    expect(api.calls).toEqual([]);
  });

  test("who pastes extra funds that cannot be read and then takes only the invoice sees that amount, and no error", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.clear(field("Extra funds"));
    await user.paste("as much as possible");
    expect(field("Extra funds")).toBeInvalid();
    await user.click(choice("Only the invoice: $2,450"));
    expect(field("Loan amount")).toHaveValue("2450");
    expect(field("Extra funds")).toHaveValue("0");
    expect(field("Extra funds")).toBeValid();
    // The pasted text does not come back with an empty loan amount.
    await user.clear(field("Current weekly rent"));
    await user.clear(field("Repair costs"));
    expect(field("Extra funds")).toHaveValue("");
    expect(screen.queryByText(unreadable("Extra funds").slice(7))).toBeNull();
  });

  test("who corrects pasted extra funds has the error, and no loan amount, until they are an amount", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.clear(field("Extra funds"));
    await user.paste("30,000 please");
    for (const rest of ["30,000 pleas", "30,000 plea", "30,000 ple", "30,000 pl", "30,000 p"]) {
      await user.keyboard("{Backspace}");
      expect(field("Extra funds")).toHaveValue(rest);
      expect(field("Extra funds")).toBeInvalid();
      expect(field("Loan amount")).toHaveValue("");
    }
    await user.keyboard("{Backspace}");
    expect(field("Extra funds")).toHaveValue("30,000");
    expect(field("Extra funds")).toBeValid();
    expect(field("Loan amount")).toHaveValue("32450");
  });

  test("who deletes the first digit of '1,500' reads that the extra funds are not an amount", async () => {
    const { user } = visitStepThree();
    await fill(user, "Extra funds", "1,500");
    await user.type(field("Extra funds"), "{Delete}", { initialSelectionStart: 0, initialSelectionEnd: 0 });
    expect(field("Extra funds")).toHaveValue(",500");
    expect(screen.getByText(unreadable("Extra funds").slice(7))).toBeVisible();
    await user.click(choice("Only the invoice: $2,450"));
    expect(field("Extra funds")).toHaveValue("0");
  });

  test("reads an error directly below its field, above its hints", async () => {
    const { user } = visitStepThree({ quote: "" });
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    for (const name of ["Lease start date", "Lease end date", "Current weekly rent"]) {
      const [box, error] = [field(name).parentElement, field(name).parentElement?.nextElementSibling];
      expect([name, box?.tagName, error?.id]).toEqual([name, "DIV", `${field(name).id}-error`]);
    }
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
