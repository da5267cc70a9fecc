import { screen } from "@testing-library/react";
import { belowCap, cap, overCap, rentOverCap, shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import { field, fill, visitStepThree } from "@/__tests__/support/step-three";
import { defaultBrand } from "@/lib/brand";
import { answers, labelOf, namesOf } from "@/lib/domain/application";
import { centsOf, formatCents } from "@/lib/domain/money";

const api = fakeApi();
/** The labels of amounts on step 3 other than the rent, the invoice and the loan amount. */
const otherAmounts = namesOf(3)
  .filter((name) => answers[name].kind === "money" && !["currentRent", "invoiceAmount", "loanAmount"].includes(name))
  .map((name) => labelOf(name));

/** The rows of the sum, each with its label and amount. */
const sum = () =>
  screen.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent).join(" "));

/** The most extra funds beside a repair of $2,450. */
const mostExtra = belowCap(2450_00);
const shownMostExtra = formatCents(centsOf(mostExtra), defaultBrand);

describe("step 3", () => {
  test("shows every field, with the highest quote filled in and nothing calculated yet", () => {
    visitStepThree();
    for (const name of ["Lease start date", "Lease end date", "Current weekly rent", "Loan amount", "Extra funds"])
      expect(field(name)).toHaveValue("");
    expect(field("Repair costs")).toHaveValue("2450");
    expect(screen.getByText(/The repair costs are pre-filled with your highest quote\.$/)).toBeVisible();
    expect(screen.getByText("Great News! Extra funds could be available to you")).toBeVisible();
    expect(
      screen.getByText(
        `You can ask for up to ${shownCap} of extra funds on top of the repair. The total can't be more than ${shownCap}.`,
      ),
    ).toBeVisible();
    expect(screen.getByText(/all interest and fees in your agreement before you sign/)).toBeVisible();
    expect(screen.queryByLabelText("Pre-approval number")).toBeNull();
  });

  test("asks visitors from source ia for a pre-approval number and 'Invoice or Repair Costs'", async () => {
    const { user } = visitStepThree({ source: "ia" });
    expect(field("Invoice or Repair Costs")).toBeVisible();
    expect(screen.getByText(/The invoice is pre-filled with your highest quote\.$/)).toBeVisible();
    expect(screen.getByText(/of extra funds on top of the invoice\. /)).toBeVisible();
    await user.type(field("Pre-approval number"), "ab");
    await user.tab();
    expect(await screen.findByText("Approval must be at least 3 characters")).toBeVisible();
  });

  test("names the quote in its explanation only where the invitation has one", () => {
    visitStepThree({ quote: "" });
    expect(screen.getByText(/how much funding we can provide\.$/)).toBeVisible();
    expect(field("Repair costs")).toHaveAccessibleDescription("Enter 0 if there's nothing to pay.");
  });

  test("asks in the order of the lease, the costs and the amount", () => {
    visitStepThree({ source: "ia" });
    const labels = ["Lease start date", "Lease end date", "Current weekly rent", "Invoice or Repair Costs"];
    const order = [...labels, "Pre-approval number", "Loan amount", "Extra funds"].map(field);
    const inputs = screen.getAllByRole<HTMLInputElement>("textbox").filter((input) => order.includes(input));
    expect(inputs).toEqual(order.filter((input) => input.type !== "date"));
    const explanation = screen.getByText(/how much funding/);
    expect(explanation.compareDocumentPosition(field("Lease start date"))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test.each([
    ["300", "33650", "31200", ["Repair $2,450", "Extra funds $31,200", "Total $33,650"]],
    [
      rentOverCap,
      cap,
      mostExtra,
      ["Repair $2,450", `Extra funds ${shownMostExtra}`, `Total, limited to ${shownCap} ${shownCap}`],
    ],
  ])("calculates the advance for a rent of %s, up to the limit", async (rent, loan, extra, rows) => {
    const { user } = visitStepThree();
    expect(screen.queryByRole("table")).toBeNull();
    await fill(user, "Current weekly rent", rent);
    expect([field("Loan amount").value, field("Extra funds").value]).toEqual([loan, extra]);
    expect(sum()).toEqual(rows);
    expect(field("Extra funds")).toHaveAccessibleDescription(`The repair plus ${rows[1]?.slice(12)} of extra funds`);
    expect(screen.getAllByRole("status").map(({ textContent }) => textContent)).toContain(
      `Total: ${rows[2]?.split(" ").at(-1)}`,
    );
  });

  test.each([
    ["ba", overCap, "repair"],
    ["ia", cap, "invoice"],
  ])("of source %s says when costs of %s already reach the limit", (source, quote, noun) => {
    visitStepThree({ quote, source });
    const heading = screen.getByText("Great News! Extra funds could be available to you");
    const reaches = `Your ${noun} already reaches the ${shownCap} limit, so there's no room for extra funds.`;
    expect(heading.nextElementSibling).toHaveTextContent(reaches);
    expect(field("Extra funds")).toHaveAttribute("readonly");
    expect(field("Extra funds")).not.toHaveAccessibleDescription();
  });

  test.each([
    // Columns: quote, loan amount, what it means, rows of the sum.
    ["2450", "2450", "The repair, without extra funds", ["Repair $2,450", "Total $2,450"]],
    ["2450", "1000", "Part of the repair, without extra funds", ["Part of the repair $1,000", "Total $1,000"]],
    ["", "1000", "$1,000 of extra funds", ["Extra funds $1,000", "Total $1,000"]],
  ])("with a quote of '%s' and a loan of %s, says '%s', without rows of 0", async (quote, loan, meaning, rows) => {
    const { user } = visitStepThree({ quote });
    await fill(user, "Loan amount", loan);
    expect(field("Extra funds")).toHaveAccessibleDescription(meaning);
    expect(sum()).toEqual(rows);
  });

  test("updates the extra funds with the loan amount, and the loan amount with the extra funds", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "10000");
    expect(field("Extra funds")).toHaveValue("7550");
    await fill(user, "Extra funds", "1000.50");
    expect(field("Extra funds")).toHaveValue("1000.50");
    expect(field("Loan amount")).toHaveValue("3450.50");
    expect(sum()).toEqual(["Repair $2,450", "Extra funds $1,000.50", "Total $3,450.50"]);
  });

  test("shows an error next to its field", async () => {
    const { user } = visitStepThree({ quote: "" });
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    for (const name of ["Lease start date", "Lease end date", "Current weekly rent"]) {
      const [box, error] = [field(name).parentElement, field(name).parentElement?.previousElementSibling];
      expect([name, box?.tagName, error?.id]).toEqual([name, "DIV", `${field(name).id}-error`]);
    }
  });

  test("saves amounts as strings, and shows 'Submitting...' meanwhile", async () => {
    const answer = api.holds("submit-step-3");
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
});
