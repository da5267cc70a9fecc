import { screen, waitFor, within } from "@testing-library/react";
import { shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import { keepDraft, turnTo } from "@/__tests__/support/applicant";
import { choice, field, fill, visitStepThree } from "@/__tests__/support/step-three";

const api = fakeApi();

type User = ReturnType<typeof visitStepThree>["user"];

const choices = () =>
  screen.getAllByRole<HTMLInputElement>("radio").map(({ labels, checked }) => {
    return `${labels?.[0]?.textContent}${checked ? " (chosen)" : ""}`;
  });

const recalculated = () => screen.queryByText(/recalculated the amount/)?.textContent;

const visitWithSavedAmount = (loanAmount: string) =>
  visitStepThree({ currentRent: "300", loanAmount, savedSteps: [1, 2, 3] }, "?step=3");

describe("the choice of an amount on step 3", () => {
  test("sets the invoice alone with one tap, and the maximum with another", async () => {
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

  test("presents one group of options above the amounts", () => {
    visitStepThree();
    const group = screen.getByRole("group", { name: "How much would you like?" });
    expect(within(group).getAllByRole("radio")).toHaveLength(3);
    expect(group.compareDocumentPosition(field("Loan amount"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(field("Loan amount").compareDocumentPosition(field("Extra funds"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test("selects 'Another amount' for a typed amount, and still offers the others", async () => {
    const { user } = visitStepThree({ quote: "2450.50" });
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "10000");
    expect(choices()).toEqual(["Only the invoice: $2,450.50", "The maximum: $33,650.50", "Another amount (chosen)"]);
    await user.click(choice(/Only the invoice/));
    expect(field("Loan amount")).toHaveValue("2450.50");
  });

  test("requires an amount after 'Another amount', so that Next does not save the previous one", async () => {
    const { user } = visitStepThree({ leaseStartDate: "2026-01-01", leaseEndDate: "2199-12-31" });
    await fill(user, "Current weekly rent", "300");
    await user.click(choice("Another amount"));
    expect(choices()).toContain("Another amount (chosen)");
    expect(field("Loan amount")).toHaveValue("");
    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(() => expect(field("Loan amount")).toHaveAccessibleDescription(/Loan amount is required/));
    await fill(user, "Loan amount", "9000");
    expect(choices()).toContain("Another amount (chosen)");
    await user.click(choice(/The maximum/));
    expect(choices()).toContain("The maximum: $33,650 (chosen)");
  });

  test.each([
    ["there is no invoice", "0"],
    ["the invoice alone reaches the cap", "62000"],
  ])("does not offer the invoice alone where %s", async (_, costs) => {
    const { user } = visitStepThree();
    await fill(user, "Repair costs", costs);
    expect(screen.queryByRole("radio", { name: /Only the invoice/ })).toBeNull();
    await fill(user, "Current weekly rent", "300");
    expect(screen.queryByRole("radio", { name: /Only the invoice/ })).toBeNull();
    expect(choice(/The maximum/)).toBeVisible();
  });

  test("keeps to the maximum when the rent is entered later, until an amount is typed", async () => {
    const { user } = visitStepThree();
    await user.click(choice(/^The maximum/));
    expect(choices()).toContain("The maximum (chosen)");
    await fill(user, "Current weekly rent", "300");
    expect(choices()).toContain("The maximum: $33,650 (chosen)");
    expect(screen.queryByText(/recalculated/)).toBeNull();
    await user.clear(field("Current weekly rent"));
    await fill(user, "Loan amount", "1000");
    expect(choices()).toContain("Another amount (chosen)");
  });

  test.each([
    // Columns: option, loan amount that it sets, rent before it was chosen.
    ["Another amount", "", ""],
    ["Another amount", "", "300"],
    ["Only the invoice: $2,450", "2450", ""],
    ["Only the invoice: $2,450", "2450", "300"],
  ])("offers '%s' (%s) again after a new rent has replaced it; rent before: '%s'", async (option, loan, rent) => {
    const { user } = visitStepThree();
    if (rent) await fill(user, "Current weekly rent", rent);
    await user.click(choice(option));
    expect(recalculated()).toBeUndefined();
    await fill(user, "Current weekly rent", "500");
    expect(recalculated()).toBe(`Because your rent changed, we've recalculated the amount: ${shownCap}.`);
    await user.click(screen.getByRole("button", { name: option }));
    expect(field("Loan amount")).toHaveValue(loan);
    expect(recalculated()).toBeUndefined();
    expect(choice(option)).toBeChecked();
    expect(choice(option)).toHaveFocus();
  });

  test("does not offer a typed 0 again, which would be refused", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "0");
    await fill(user, "Current weekly rent", "500");
    expect(recalculated()).toBe(`Because your rent changed, we've recalculated the amount: ${shownCap}.`);
    expect(screen.queryByRole("button", { name: "Go back to $0" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Another amount" }));
    expect(field("Loan amount")).toHaveValue("");
  });

  test("keeps the typed amount while other choices are looked at", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "10000");
    await user.click(choice(/^The maximum/));
    await user.click(choice(/Only the invoice/));
    expect(field("Loan amount")).toHaveValue("2450");
    await user.click(choice("Another amount"));
    expect(field("Loan amount")).toHaveValue("10000");
    expect(choice("Another amount")).toBeChecked();
  });

  test("offers the invoice at its corrected amount", async () => {
    const { user } = visitStepThree({ source: "ia" });
    await fill(user, "Current weekly rent", "300");
    await user.click(choice(/Only the invoice/));
    await user.type(field("Invoice or Repair Costs"), "0");
    expect(recalculated()).toBe(
      `Because your invoice or repair costs changed, we've recalculated the amount: ${shownCap}.`,
    );
    await user.click(screen.getByRole("button", { name: "Only the invoice: $24,500" }));
    expect(field("Loan amount")).toHaveValue("24500");
  });

  test("is not replaced by a key that leaves the invoice or the rent as it was", async () => {
    const { user } = visitStepThree({ currentRent: "300.5" });
    await user.click(choice(/Only the invoice/));
    await user.type(field("Current weekly rent"), "0");
    expect(field("Current weekly rent")).toHaveValue("300.50");
    await user.type(field("Repair costs"), ".");
    expect(field("Loan amount")).toHaveValue("2450");
    await user.type(field("Repair costs"), "55");
    expect(recalculated()).toBe("Because your repair costs changed, we've recalculated the amount: $33,702.55.");
    await user.click(screen.getByRole("button", { name: "Only the invoice: $2,450.55" }));
    expect(field("Loan amount")).toHaveValue("2450.55");
  });

  test("stays smaller than the invoice while no extra funds are asked for", async () => {
    const { user } = visitWithSavedAmount("1000");
    await user.type(field("Extra funds"), "{Backspace}");
    expect(field("Loan amount")).toHaveValue("1000");
    await user.type(field("Extra funds"), "5");
    expect(field("Loan amount")).toHaveValue("2455");
    await user.type(field("Extra funds"), "{Backspace}");
    expect(field("Loan amount")).toHaveValue("2450");
  });

  test("does not offer an invoice that was changed to 0", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.click(choice(/Only the invoice/));
    await fill(user, "Repair costs", "0");
    expect(recalculated()).toBe("Because your repair costs changed, we've recalculated the amount: $31,200.");
    expect(screen.queryByRole("button", { name: /2,450/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Another amount" }));
    expect(field("Loan amount")).toHaveValue("");
  });

  test("offers a typed amount again after it was replaced, until another is typed", async () => {
    const { user } = visitWithSavedAmount("10000");
    await user.type(field("Current weekly rent"), "5");
    expect(recalculated()).toMatch(/your rent changed/);
    await user.click(screen.getByRole("button", { name: "Go back to $10,000" }));
    expect(choice("Another amount")).toHaveFocus();
    expect(field("Loan amount")).toHaveValue("10000");
    await user.type(field("Current weekly rent"), "0");
    expect(recalculated()).toMatch(/your rent changed/);
    await fill(user, "Loan amount", "12000");
    expect(recalculated()).toBeUndefined();
  });

  test.each([
    ["a typed amount", "10000", "Go back to $10,000"],
    ["the invoice alone", "2450", "Only the invoice: $2,450"],
  ])("still offers %s after a reload, if it was saved before it was replaced", async (_, loanAmount, button) => {
    const first = visitWithSavedAmount(loanAmount);
    await fill(first.user, "Current weekly rent", "305");
    first.unmount();
    const second = visitWithSavedAmount(loanAmount);
    expect(recalculated()).toBe("Because your rent changed, we've recalculated the amount: $34,170.");
    await second.user.click(screen.getByRole("button", { name: button }));
    expect(field("Loan amount")).toHaveValue(loanAmount);
    second.unmount();
    visitWithSavedAmount(loanAmount);
    expect(recalculated()).toBeUndefined();
    expect(field("Loan amount")).toHaveValue(loanAmount);
  });

  test.each([
    ["a typed amount", async (user: User) => fill(user, "Loan amount", "9000"), "Go back to $9,000"],
    ["the invoice alone", async (user: User) => user.click(choice(/Only/)), "Only the invoice: $2,450"],
  ])("still offers %s after a reload, if it was replaced before any save", async (_, choose, button) => {
    const first = visitStepThree();
    await fill(first.user, "Current weekly rent", "300");
    await choose(first.user);
    await fill(first.user, "Current weekly rent", "305");
    first.unmount();
    const { user } = visitStepThree();
    expect(recalculated()).toBe("Because your rent changed, we've recalculated the amount: $34,170.");
    await user.click(screen.getByRole("button", { name: button }));
    expect(recalculated()).toBeUndefined();
  });

  test.each([
    ["", "33650"],
    ["305", "34170"],
  ])("shows no notice after a reload if the maximum was chosen before a rent of '%s'", async (rent, loan) => {
    const first = visitWithSavedAmount("10000");
    await first.user.click(choice(/^The maximum/));
    if (rent) await fill(first.user, "Current weekly rent", rent);
    first.unmount();
    const { user } = visitWithSavedAmount("10000");
    expect(field("Loan amount")).toHaveValue(loan);
    expect(recalculated()).toBeUndefined();
    await fill(user, "Current weekly rent", "310");
    expect(recalculated()).toBeUndefined();
  });

  test("does not offer an earlier amount once the recalculated one was saved", async () => {
    const lease = { leaseStartDate: "2026-03-01", leaseEndDate: "2027-02-28" };
    // A chosen country keeps the draft after the save.
    keepDraft({}, { countries: { contactNumber: "GB" } });
    const first = visitStepThree({ ...lease, currentRent: "300", loanAmount: "9000" });
    await fill(first.user, "Current weekly rent", "305");
    expect(recalculated()).toBeDefined();
    api.answers("submit-step-3", {});
    await turnTo(first.user, "Next", "Review your application");
    first.unmount();
    const saved = { ...lease, currentRent: "305", loanAmount: "34170", savedSteps: [1, 2, 3] };
    const second = visitStepThree(saved, "?step=3");
    await fill(second.user, "Current weekly rent", "310");
    expect(recalculated()).toBeUndefined();
    second.unmount();
    visitStepThree(saved, "?step=3");
    expect(field("Current weekly rent")).toHaveValue("310");
    expect(recalculated()).toBeUndefined();
  });

  test("shows no notice when the amount was the calculated one", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Current weekly rent", "310");
    await fill(user, "Repair costs", "100");
    expect(recalculated()).toBeUndefined();
  });
});
