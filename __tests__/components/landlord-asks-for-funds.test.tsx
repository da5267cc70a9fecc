import { screen } from "@testing-library/react";
import { cap, shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import { field, fill, visitStepThree } from "@/__tests__/support/step-three";
import { answers, labelOf, namesOf } from "@/lib/domain/application";

const api = fakeApi();
/** The labels of amounts on step 3 other than the rent, the invoice and the loan amount. */
const otherAmounts = namesOf(3)
  .filter((name) => answers[name].kind === "money" && !["currentRent", "invoiceAmount", "loanAmount"].includes(name))
  .map((name) => labelOf(name));

/** The rows of the sum, each with its label and amount. */
const sum = () =>
  screen.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent).join(" "));

describe("step 3", () => {
  test("shows every field, with the highest quote filled in and nothing calculated yet", () => {
    visitStepThree();
    for (const name of ["Lease start date", "Lease end date", "Current weekly rent", "Loan amount", "Extra funds"])
      expect(field(name)).toHaveValue("");
    expect(field("Repair costs")).toHaveValue("2450");
    expect(screen.getByText(/pre-filled with the highest quote/)).toBeVisible();
    expect(screen.getByText("Great News! Extra funds could be available to you")).toBeVisible();
    expect(screen.getByText(/^You can ask for up to \$50,000 of extra funds on top of the invoice/)).toBeVisible();
    expect(screen.getByText(/all interest and fees in your agreement before you sign/)).toBeVisible();
    expect(screen.queryByLabelText("Pre-approval number")).toBeNull();
  });

  test("asks visitors from source ia for a pre-approval number and 'Invoice or Repair Costs'", async () => {
    const { user } = visitStepThree({ source: "ia" });
    expect(field("Invoice or Repair Costs")).toBeVisible();
    await user.type(field("Pre-approval number"), "ab");
    await user.tab();
    expect(await screen.findByText("Approval must be at least 3 characters")).toBeVisible();
  });

  test.each([
    ["300", "33650", "31200", ["Invoice $2,450", "Extra funds $31,200", "Total $33,650"]],
    ["500", cap, "47550", ["Invoice $2,450", "Extra funds $47,550", `Total, limited to ${shownCap} ${shownCap}`]],
  ])("calculates the advance for a rent of %s, up to the limit", async (rent, loan, extra, rows) => {
    const { user } = visitStepThree();
    expect(screen.queryByRole("table")).toBeNull();
    await fill(user, "Current weekly rent", rent);
    expect([field("Loan amount").value, field("Extra funds").value]).toEqual([loan, extra]);
    expect(sum()).toEqual(rows);
    expect(field("Extra funds")).toHaveAccessibleDescription(expect.stringContaining("Up to $47,550 more."));
  });

  test("says when the invoice alone reaches the limit", async () => {
    visitStepThree({ quote: "62000" });
    expect(screen.getByText(`Your invoice already reaches the ${shownCap} limit.`)).toBeVisible();
  });

  test("updates the extra funds with the loan amount, and the loan amount with the extra funds", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "10000");
    expect(field("Extra funds")).toHaveValue("7550");
    await fill(user, "Extra funds", "1000.50");
    expect(field("Extra funds")).toHaveValue("1000.50");
    expect(field("Loan amount")).toHaveValue("3450.50");
    expect(sum()).toEqual(["Invoice $2,450", "Extra funds $1,000.50", "Total $3,450.50"]);
  });

  test("shows an error directly below its field, above the hints", async () => {
    const { user } = visitStepThree({ quote: "" });
    await user.click(screen.getByRole("button", { name: "Next" }));
    await screen.findByRole("alert", { name: "There is a problem" });
    for (const name of ["Lease start date", "Lease end date", "Current weekly rent"]) {
      const [box, error] = [field(name).parentElement, field(name).parentElement?.nextElementSibling];
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
