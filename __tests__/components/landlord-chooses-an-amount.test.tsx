import { screen } from "@testing-library/react";
import { cap, overCap, rentOverCap, shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import { keepDraft, turnTo } from "@/__tests__/support/applicant";
import { amountButton, field, fill, visitStepThree } from "@/__tests__/support/step-three";

const api = fakeApi();

type User = ReturnType<typeof visitStepThree>["user"];

/** The buttons that fill in the loan amount, as '[pressed] name (hint)'. */
const amountButtons = () =>
  screen
    .queryAllByRole("button")
    .filter((button) => button.hasAttribute("aria-pressed"))
    .map((button) => {
      const hint = document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent;
      const pressed = button.getAttribute("aria-pressed") === "true" ? "[pressed] " : "";
      return `${pressed}${button.textContent}${hint ? ` (${hint})` : ""}`;
    });

const recalculated = () => screen.queryByText(/recalculated the amount/)?.textContent;
const goBackLink = (name: string) => screen.getByRole("link", { name });

const visitWithSavedAmount = (loanAmount: string) =>
  visitStepThree({ currentRent: "300", loanAmount, savedSteps: [1, 2, 3] }, "?step=3");

describe("the amount on step 3", () => {
  test("follows a heading, and two buttons below it fill it in", async () => {
    const { user } = visitStepThree();
    expect(amountButtons()).toEqual(["Only the repair: $2,450"]);
    await fill(user, "Current weekly rent", "355");
    const twoYears = "Two years of rent plus the repair: $39,370 (104 × $355 + $2,450)";
    expect(amountButtons()).toEqual(["Only the repair: $2,450", `[pressed] ${twoYears}`]);
    await user.click(amountButton("Only the repair: $2,450"));
    expect([field("Loan amount").value, field("Extra funds").value]).toEqual(["2450", "0"]);
    expect(amountButtons()).toEqual(["[pressed] Only the repair: $2,450", twoYears]);
    await user.click(amountButton(/^Two years of rent plus the repair/));
    expect(field("Loan amount")).toHaveValue("39370");
    await fill(user, "Loan amount", "10000");
    expect(amountButtons()).toEqual(["Only the repair: $2,450", twoYears]);
    const [heading, input, button] = [
      screen.getByRole("heading", { name: "How much would you like?" }),
      field("Loan amount"),
      amountButton(/^Only/),
    ];
    expect(heading.compareDocumentPosition(input)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(input.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(button.compareDocumentPosition(field("Extra funds"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test.each([
    // Columns: source, rent, costs, buttons.
    ["", "300", "0", ["[pressed] Two years of rent: $31,200 (104 × $300)"]],
    ["ia", "0", "2450", ["[pressed] Only the invoice: $2,450"]],
    [
      "ia",
      "300",
      overCap,
      [`[pressed] Two years of rent plus the invoice: ${shownCap} (104 × $300 + $900,000, limited to ${shownCap})`],
    ],
    [
      "ba",
      rentOverCap,
      "2450.50",
      [
        "Only the repair: $2,450.50",
        `[pressed] Two years of rent plus the repair: ${shownCap} (104 × $5,000 + $2,450.50, limited to ${shownCap})`,
      ],
    ],
    ["ba", "300", cap, [`[pressed] Only the repair: ${shownCap}`]],
    ["ba", "0", "0", []],
  ])("for source '%s', a rent of %s and costs of %s, is filled in by %j", async (source, rent, costs, buttons) => {
    const { user } = visitStepThree({ source });
    await fill(user, "Current weekly rent", rent);
    await fill(user, source === "ia" ? "Invoice or Repair Costs" : "Repair costs", costs);
    expect(amountButtons()).toEqual(buttons);
  });

  test.each([
    ["before a rent was typed", ""],
    ["after a rent was typed", "300"],
  ])("of the repair alone, chosen %s, is offered again once a new rent has replaced it", async (_, rent) => {
    const { user } = visitStepThree();
    if (rent) await fill(user, "Current weekly rent", rent);
    await user.click(amountButton(/^Only the repair/));
    expect(recalculated()).toBeUndefined();
    await fill(user, "Current weekly rent", rentOverCap);
    expect(recalculated()).toBe(`Because your rent changed, we've recalculated the amount: ${shownCap}.`);
    await user.click(goBackLink("Only the repair: $2,450"));
    expect(field("Loan amount")).toHaveValue("2450");
    expect(recalculated()).toBeUndefined();
    expect(screen.getByRole("heading", { name: "How much would you like?" })).toHaveFocus();
  });

  test("is not offered again if it was 0, which would be refused", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "0");
    await fill(user, "Current weekly rent", rentOverCap);
    expect(recalculated()).toBeUndefined();
  });

  test("of the invoice alone is offered at its corrected amount", async () => {
    const { user } = visitStepThree({ source: "ia" });
    await fill(user, "Current weekly rent", rentOverCap);
    await user.click(amountButton(/Only the invoice/));
    await user.type(field("Invoice or Repair Costs"), "0");
    expect(recalculated()).toBe(`Because your invoice changed, we've recalculated the amount: ${shownCap}.`);
    await user.click(goBackLink("Only the invoice: $24,500"));
    expect(field("Loan amount")).toHaveValue("24500");
  });

  test("is not replaced by a key that leaves the costs or the rent as they were", async () => {
    const { user } = visitStepThree({ currentRent: "300.5" });
    await user.click(amountButton(/Only the repair/));
    await user.type(field("Current weekly rent"), "0");
    expect(field("Current weekly rent")).toHaveValue("300.50");
    await user.type(field("Repair costs"), ".");
    expect(field("Loan amount")).toHaveValue("2450");
    await user.type(field("Repair costs"), "55");
    expect(recalculated()).toBe("Because your repair costs changed, we've recalculated the amount: $33,702.55.");
    await user.click(goBackLink("Only the repair: $2,450.55"));
    expect(field("Loan amount")).toHaveValue("2450.55");
  });

  test("stays smaller than the repair while no extra funds are asked for", async () => {
    const { user } = visitWithSavedAmount("1000");
    await user.type(field("Extra funds"), "{Backspace}");
    expect(field("Loan amount")).toHaveValue("1000");
    await user.type(field("Extra funds"), "5");
    expect(field("Loan amount")).toHaveValue("2455");
    await user.type(field("Extra funds"), "{Backspace}");
    expect(field("Loan amount")).toHaveValue("2450");
  });

  test.each(["0", overCap])("is offered as it was if repair costs of %s leave no such button", async (costs) => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.click(amountButton(/Only the repair/));
    await fill(user, "Repair costs", costs);
    await user.click(goBackLink("Go back to $2,450"));
    expect(field("Loan amount")).toHaveValue("2450");
  });

  test("is offered again after it was replaced, until another is typed", async () => {
    const { user } = visitWithSavedAmount("10000");
    await user.type(field("Current weekly rent"), "5");
    expect(recalculated()).toMatch(/your rent changed/);
    await user.click(goBackLink("Go back to $10,000"));
    expect(field("Loan amount")).toHaveValue("10000");
    await user.type(field("Current weekly rent"), "0");
    expect(recalculated()).toMatch(/your rent changed/);
    await fill(user, "Loan amount", "12000");
    expect(recalculated()).toBeUndefined();
  });

  test.each([
    ["a typed amount", "10000", "Go back to $10,000"],
    ["the repair alone", "2450", "Only the repair: $2,450"],
  ])("is still offered after a reload, if %s was saved before it was replaced", async (_, loanAmount, link) => {
    const first = visitWithSavedAmount(loanAmount);
    await fill(first.user, "Current weekly rent", "305");
    first.unmount();
    const second = visitWithSavedAmount(loanAmount);
    expect(recalculated()).toBe("Because your rent changed, we've recalculated the amount: $34,170.");
    await second.user.click(goBackLink(link));
    expect(field("Loan amount")).toHaveValue(loanAmount);
    second.unmount();
    visitWithSavedAmount(loanAmount);
    expect(recalculated()).toBeUndefined();
    expect(field("Loan amount")).toHaveValue(loanAmount);
  });

  test.each([
    ["a typed amount", async (user: User) => fill(user, "Loan amount", "9000"), "Go back to $9,000"],
    ["the repair alone", async (user: User) => user.click(amountButton(/Only/)), "Only the repair: $2,450"],
  ])("is still offered after a reload, if %s was replaced before any save", async (_, choose, link) => {
    const first = visitStepThree();
    await fill(first.user, "Current weekly rent", "300");
    await choose(first.user);
    await fill(first.user, "Current weekly rent", "305");
    first.unmount();
    const { user } = visitStepThree();
    expect(recalculated()).toBe("Because your rent changed, we've recalculated the amount: $34,170.");
    await user.click(goBackLink(link));
    expect(recalculated()).toBeUndefined();
  });

  test("is not offered again after a reload once two years of rent were chosen", async () => {
    const first = visitWithSavedAmount("10000");
    await first.user.click(amountButton(/^Two years/));
    await fill(first.user, "Current weekly rent", "305");
    first.unmount();
    const { user } = visitWithSavedAmount("10000");
    expect(field("Loan amount")).toHaveValue("34170");
    expect(recalculated()).toBeUndefined();
    await fill(user, "Current weekly rent", "310");
    expect(recalculated()).toBeUndefined();
  });

  test("is not offered again once the recalculated one was saved", async () => {
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

  test("has no note when it was the calculated one", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Current weekly rent", "310");
    await fill(user, "Repair costs", "100");
    expect(recalculated()).toBeUndefined();
  });
});
